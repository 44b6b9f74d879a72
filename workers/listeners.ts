import { settleCommission } from '#shared/affiliates/jobs.ts'
import type { DisputedOrderView } from '#shared/disputes/events.ts'
import { ENDED_WITHOUT_LOSS } from '#shared/disputes/states.ts'
import { mailOrderEvent } from '#shared/order-mails/jobs.ts'
import type { OrderView } from '#shared/orders/view.ts'
import { closePayments } from '#shared/payments/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import type { RefundedOrderView } from '#shared/refunds/events.ts'
import { settleReturns as settleReturnsJob } from '#shared/returns/jobs.ts'
import { mailSubscriptionEvent } from '#shared/subscription-mails/jobs.ts'
import { settleCharges, stopDisputed } from '#shared/subscriptions/jobs.ts'

/** Reacts to an event in the transaction that publishes it. It only enqueues jobs. */
export type Listener = (tx: StoreTx, event: PublishedEvent) => Promise<unknown>

const mailBuyer: Listener = (tx, { id }) => enqueue(tx, mailOrderEvent, { eventId: id })

const mailSubscriber: Listener = (tx, { id }) => enqueue(tx, mailSubscriptionEvent, { eventId: id })

const settleReturns: Listener = (tx, { data }) =>
  enqueue(tx, settleReturnsJob, { refundId: (data as RefundedOrderView).refund.id })

const updateSubscriptions: Listener = async (tx, { data }) => {
  const { id: orderId, subscription_id } = data as OrderView
  if (subscription_id) await enqueue(tx, settleCharges, { orderId })
}

/** Stops the subscription of a disputed order, unless the store won the dispute or it closed without a decision. */
const stopSubscriptions: Listener = async (tx, { data }) => {
  const { id: orderId, subscription_id, dispute } = data as DisputedOrderView
  if (subscription_id && !ENDED_WITHOUT_LOSS.has(dispute.status)) await enqueue(tx, stopDisputed, { orderId })
}

const updateCommission: Listener = async (tx, { data }) => {
  const { id: orderId, affiliate_id } = data as OrderView
  if (affiliate_id) await enqueue(tx, settleCommission, { orderId })
}

/** The listeners of each event type. Events connect domains that may not import each other. */
export const listeners: Readonly<Record<string, readonly Listener[]>> = {
  'order.created': [mailBuyer],
  'order.updated': [updateCommission],
  'order.paid': [mailBuyer, updateSubscriptions],
  'order.payment_failed': [mailBuyer, updateSubscriptions],
  'order.shipment_created': [mailBuyer],
  'order.canceled': [
    mailBuyer,
    updateSubscriptions,
    (tx, { data }) => enqueue(tx, closePayments, { orderId: (data as OrderView).id }),
  ],
  'order.disputed': [stopSubscriptions],
  'order.refunded': [mailBuyer, settleReturns, updateCommission],
  'order.refund_failed': [settleReturns, updateCommission],
  'subscription.payment_failed': [mailSubscriber],
  'subscription.suspended': [mailSubscriber],
  'subscription.paused': [mailSubscriber],
  'subscription.resumed': [mailSubscriber],
  'subscription.cancellation_scheduled': [mailSubscriber],
  'subscription.canceled': [mailSubscriber],
  'subscription.completed': [mailSubscriber],
  'subscription.card_changed': [mailSubscriber],
}
