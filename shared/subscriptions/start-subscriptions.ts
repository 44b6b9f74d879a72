import type { Order } from '#shared/orders/order.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Charge } from './charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from './events.ts'
import { settleOpenCharge } from './settle-charge.ts'
import { Subscription, type SubscriptionTerms } from './subscription.ts'
import { awaitOutcome } from './transition-subscription.ts'

/** A line of an order that repeats. Amounts in minor units, as the store enters prices. */
export interface RecurringLine {
  planId: string
  productId: string
  variantId: string
  nameI18n: Texts
  sku: string
  quantity: number
  /** Of a unit in each charge after the trial. */
  unitPriceMinor: bigint
  terms: SubscriptionTerms
}

/** The id of the first subscription that an order starts: `orders.subscription_id`. */
export const newSubscriptionId = (): string => newId()

/**
 * Starts a subscription for each line of an order that repeats, in the transaction that places the order. The order is the
 * first charge of each; they become active when it is paid. `order.subscriptionId` is the id of the first one.
 */
export async function startSubscriptions(
  tx: StoreTx,
  order: Order,
  lines: readonly RecurringLine[],
): Promise<void> {
  for (const [index, line] of lines.entries()) {
    const subscription = await insertSubscription(tx, order, line, index === 0 ? order.subscriptionId : null)
    await Charge.in(tx).insert({
      subscriptionId: subscription.id,
      chargeNo: 1,
      orderId: order.id,
      attempts: 0,
      createdAt: order.createdAt,
    })
    await emitSubscriptionEvent(tx, SubscriptionEvents.created, subscription)
    await awaitOutcome(tx, subscription, order.expiresAt ?? undefined)
    await settleOpenCharge(tx, subscription)
  }
}

function insertSubscription(
  tx: StoreTx,
  order: Order,
  { planId, terms, ...line }: RecurringLine,
  id: string | null,
): PromiseLike<Subscription> {
  if (!order.customerId) throw new Error('Only a customer has subscriptions')
  const at = now()
  return Subscription.in(tx).insertAndFetch({
    ...line,
    ...(id ? { id } : {}),
    terms,
    customerId: order.customerId,
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
    startedAt: order.createdAt,
    scheduleFrom: order.createdAt,
    position: 0,
    chargeNo: 1,
    chargesLeft: terms.cycle === 0 ? null : (terms.trial?.cycle ?? 0) + terms.cycle,
    nextChargeAt: null,
    dueAt: null,
    cancelsAtPeriodEnd: false,
    remindAt: null,
    remindedFor: null,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  })
}
