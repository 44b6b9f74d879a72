import { findUnitPrice } from '#shared/catalog/variants/find-unit-price.ts'
import type { RecurringPurchase } from '#shared/checkout/recurring-purchase.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { countCharges } from '#shared/recurring-plans/schedule.ts'
import { Charge } from '#shared/subscriptions/charge.ts'
import { settleOpenCharge } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { indexSubscriptions } from '#shared/subscriptions/subscription-words.ts'
import { scheduleOutcomeCheck } from '#shared/subscriptions/transition-subscription.ts'
import { NO_NEXT_PRICE } from '#shared/subscriptions/unit-price.ts'

/**
 * Starts a subscription for each purchase of a new order by a recurring plan. The order is the first charge of each
 * subscription, and its payment activates them. The first subscription gets the id `order.subscriptionId`.
 */
export async function startSubscriptions(
  tx: StoreTx,
  order: Order,
  purchases: readonly RecurringPurchase[],
): Promise<void> {
  for (const [index, purchase] of purchases.entries()) {
    const id = index === 0 ? order.subscriptionId : null
    const subscription = await insertSubscription(tx, order, purchase, id)
    await indexSubscriptions(tx, [subscription])
    await Charge.in(tx).insert({
      subscriptionId: subscription.id,
      chargeNo: 1,
      orderId: order.id,
      attempts: 0,
      createdAt: order.createdAt,
    })
    await emitSubscriptionEvent(tx, SubscriptionEvents.created, subscription)
    const awaited = await scheduleOutcomeCheck(tx, subscription, order.expiresAt ?? undefined)
    await settleOpenCharge(tx, awaited)
  }
}

async function insertSubscription(
  tx: StoreTx,
  order: Order,
  { planId, terms, isPlanPrice, ...purchase }: RecurringPurchase,
  id: string | null,
): Promise<Subscription> {
  const { customerId } = order
  if (!customerId) throw new Error('Only a customer has subscriptions')
  const variantPrice = isPlanPrice ? null : await findUnitPrice(tx, { ...purchase, customerId })
  const at = now()
  return Subscription.in(tx).insertAndFetch({
    ...purchase,
    ...(id ? { id } : {}),
    terms,
    priceQuantity: variantPrice?.minQuantity ?? null,
    customerId,
    status: 'pending',
    recurringPlanId: planId,
    currency: order.currency,
    language: order.language,
    firstname: order.firstname,
    lastname: order.lastname,
    telephone: order.telephone,
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    shippingMethodId: order.shippingMethod?.id ?? null,
    paymentMethod: order.paymentMethod,
    card: null,
    cardGivenAt: null,
    startedAt: order.createdAt,
    scheduleFrom: order.createdAt,
    position: 0,
    chargeNo: 1,
    chargesLeft: countCharges(terms),
    nextChargeAt: null,
    dueAt: null,
    cancelsAtPeriodEnd: false,
    ...NO_NEXT_PRICE,
    remindAt: null,
    remindedFor: null,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  })
}
