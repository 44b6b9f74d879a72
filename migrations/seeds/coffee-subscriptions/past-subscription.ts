import { toCartLine } from '#migrations/seeds/year-of-orders/assortment.ts'
import type { PastCustomer } from '#migrations/seeds/year-of-orders/customers.ts'
import { complete, pay, ship } from '#migrations/seeds/year-of-orders/order-steps.ts'
import {
  newIdAt,
  type PastOrder,
  placePastOrder,
  wait,
  type Year,
} from '#migrations/seeds/year-of-orders/past-order.ts'
import type { Sellable } from '#shared/catalog/variants/find-sellable.ts'
import { draftOrder } from '#shared/checkout/draft-order.ts'
import { roundTotal } from '#shared/checkout/round-total.ts'
import { newOrderNumber } from '#shared/orders/order.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { chargeDate, countCharges, isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { writeTerms } from '#shared/recurring-plans/terms.ts'
import type { OfferedMethod } from '#shared/shipping-methods/offered-method.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { wordsOfSubscription } from '#shared/subscriptions/subscription-words.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'
import type { SoldPlan } from './plans.ts'

/** The ages in days from which an order is shipped, and from which it is complete. */
const SHIPPED_DAYS = 2
const COMPLETE_DAYS = 9

/** The store of the subscriptions. */
export interface CoffeeShop {
  store: Store
  /** Bought once with a free first delivery, which alone is below the store's smallest order. */
  extra: Sellable
  shipping: OfferedMethod
  tax: TaxRules
}

/** A subscription of the past. Its changes are those of the subscription verbs, without events, jobs and mails. */
export interface PastSubscription {
  year: Year
  shop: CoffeeShop
  subscription: Subscription
  customer: PastCustomer
  sellable: Sellable
  orders: PastOrder[]
}

interface Started {
  plan: SoldPlan
  customer: PastCustomer
  sellable: Sellable
  quantity: number
  paymentMethod: 'sandbox' | 'card'
  at: Date
}

/** Starts a subscription that is pending, without its first order. */
export function startSubscription(
  year: Year,
  shop: CoffeeShop,
  { plan, customer, sellable, quantity, paymentMethod, at }: Started,
): PastSubscription {
  const { priceMinor, ...terms } = writeTerms(plan.terms)
  const { variantId, productId, nameI18n, sku } = sellable
  const { firstname, lastname, telephone, address } = customer
  const subscription = Object.assign(new Subscription(), {
    id: newIdAt(year, at),
    storeId: year.rows.storeId,
    customerId: customer.id,
    status: 'pending',
    recurringPlanId: plan.id,
    productId,
    variantId,
    nameI18n,
    sku,
    quantity,
    terms,
    unitPriceMinor: priceMinor === null ? sellable.unitPriceMinor : BigInt(priceMinor),
    priceQuantity: priceMinor === null ? quantity : null,
    currency: shop.store.currency,
    language: shop.store.defaultLanguage,
    firstname,
    lastname,
    telephone,
    shippingAddress: address,
    billingAddress: address,
    shippingMethodId: shop.shipping.id,
    paymentMethod,
    card: null,
    startedAt: at,
    scheduleFrom: at,
    position: 0,
    chargeNo: 1,
    chargesLeft: countCharges(terms),
    nextChargeAt: null,
    dueAt: null,
    cancelsAtPeriodEnd: false,
    endedAt: null,
    remindAt: null,
    remindedFor: null,
    createdAt: at,
    updatedAt: at,
  } satisfies Partial<Subscription>)
  year.rows.add('subscriptions', subscription)
  for (const word of wordsOfSubscription(subscription))
    year.rows.add('subscription_words', { word, subscriptionId: subscription.id })
  return { year, shop, subscription, customer, sellable, orders: [] }
}

/** Places and pays every charge that is due before a time. */
export function chargeUntil(past: PastSubscription, time: Date): void {
  const { subscription } = past
  while (subscription.chargesLeft !== 0 && dateOfNext(past) < time) {
    const order = placeCharge(past)
    wait(order, 0)
    pay(order, 'system')
    addCharge(past, { orderId: order.order.id, createdAt: order.order.createdAt, settledAt: order.at })
    subscription.chargeNo += 1
    subscription.position += 1
    if (subscription.chargesLeft !== null) subscription.chargesLeft -= 1
    subscription.updatedAt = order.at
    deliver(order)
  }
}

/** The date of the next charge. */
export const dateOfNext = ({ shop, subscription }: PastSubscription): Date =>
  chargeDate(subscription.terms, subscription.scheduleFrom, subscription.position, shop.store.timeZone)

/** Makes a subscription active: it is charged at its next date. */
export function activate(past: PastSubscription): void {
  const date = dateOfNext(past)
  Object.assign(past.subscription, { status: 'active', nextChargeAt: date, dueAt: date })
}

/** Places the order of the next charge. It awaits its payment. */
export function placeCharge(past: PastSubscription): PastOrder {
  const { year, shop, subscription, customer } = past
  const { store, shipping, tax } = shop
  const { firstname, lastname, telephone, shippingAddress, paymentMethod, chargeNo } = subscription
  const { details, lines } = draftOrder({
    store,
    customerId: customer.id,
    email: customer.email,
    lines: linesOf(past),
    language: subscription.language,
    giftVouchers: [],
    metadata: {},
    coupon: null,
    rules: { shipping, takesPayment: true, tax },
    request: { firstname, lastname, telephone, shippingAddress, paymentMethod },
  })
  const order = placePastOrder(year, dateOfNext(past), {
    status: 'pending',
    number: newOrderNumber(year.chance.bytes(10)),
    facts: roundTotal({ ...details, voucherMinor: 0n, subscriptionId: subscription.id, chargeNo }),
    lines,
  })
  past.orders.push(order)
  return order
}

function linesOf({ shop, subscription, sellable }: PastSubscription) {
  const { terms, position, quantity } = subscription
  const trial = isTrialCharge(terms, position) ? terms.trial : null
  const unitPriceMinor = trial ? BigInt(trial.priceMinor) : subscription.unitPriceMinor
  const line = toCartLine({ ...sellable, unitPriceMinor }, quantity)
  return unitPriceMinor > 0n ? [line] : [line, toCartLine(shop.extra, 1)]
}

type ChargeRow = Pick<Charge, 'orderId' | 'createdAt'> & Partial<Charge>

/** Adds the row of the next charge. */
export function addCharge({ year, subscription }: PastSubscription, charge: ChargeRow): void {
  year.rows.add('subscription_charges', {
    id: newIdAt(year, charge.createdAt),
    subscriptionId: subscription.id,
    chargeNo: subscription.chargeNo,
    paymentId: null,
    attempts: 0,
    failureKind: null,
    failureReason: null,
    firstFailedAt: null,
    nextAttemptAt: null,
    settledAt: null,
    ...charge,
  })
}

function deliver(order: PastOrder): void {
  const days = (order.year.until.getTime() - order.at.getTime()) / DAY_MS
  if (days < SHIPPED_DAYS) return
  wait(order, 20)
  ship(order)
  if (days < COMPLETE_DAYS) return
  wait(order, 80)
  complete(order)
}
