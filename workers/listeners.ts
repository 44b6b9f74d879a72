import type { Static, TSchema } from 'typebox'
import { settleCommission } from '#shared/affiliates/jobs.ts'
import { type DisputedOrderView, orderDisputed } from '#shared/disputes/events.ts'
import { ENDED_WITHOUT_LOSS } from '#shared/disputes/states.ts'
import { mailOrderEvent } from '#shared/order-mails/jobs.ts'
import {
  orderCanceled,
  orderCreated,
  orderPaid,
  orderPaymentFailed,
  orderShipmentCreated,
  orderUpdated,
} from '#shared/orders/events.ts'
import type { OrderView } from '#shared/orders/view.ts'
import { closePayments } from '#shared/payments/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import type { EventKind } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { orderRefunded, orderRefundFailed, type RefundedOrderView } from '#shared/refunds/events.ts'
import {
  settleReturns as settleReturnsJob,
  settleReturnsOfCanceledOrder as settleReturnsOfCanceledOrderJob,
} from '#shared/returns/jobs.ts'
import { mailSubscriptionEvent } from '#shared/subscription-mails/jobs.ts'
import { SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { settleCharges, stopDisputedSubscriptions } from '#shared/subscriptions/jobs.ts'

/** Reacts to an event in the transaction that publishes it. It only enqueues jobs. */
export type Listener<Data = unknown> = (tx: StoreTx, event: PublishedEvent<Data>) => Promise<unknown>

const mailBuyer: Listener = (tx, { id }) => enqueue(tx, mailOrderEvent, { eventId: id })

const mailSubscriber: Listener = (tx, { id }) => enqueue(tx, mailSubscriptionEvent, { eventId: id })

const settleReturns: Listener<RefundedOrderView> = (tx, { data }) =>
  enqueue(tx, settleReturnsJob, { refundId: data.refund.id })

const settleReturnsOfCanceledOrder: Listener<OrderView> = (tx, { data }) =>
  enqueue(tx, settleReturnsOfCanceledOrderJob, { orderId: data.id })

const updateSubscriptions: Listener<OrderView> = async (tx, { data }) => {
  if (data.subscription_id) await enqueue(tx, settleCharges, { orderId: data.id })
}

/** Stops the subscription of a disputed order, unless the store won the dispute or it closed without a decision. */
const stopSubscriptions: Listener<DisputedOrderView> = async (tx, { data }) => {
  const { id: orderId, subscription_id, dispute } = data
  if (subscription_id && !ENDED_WITHOUT_LOSS.has(dispute.status))
    await enqueue(tx, stopDisputedSubscriptions, { orderId })
}

const updateCommission: Listener<OrderView> = async (tx, { data }) => {
  if (data.affiliate_id) await enqueue(tx, settleCommission, { orderId: data.id })
}

const closeOpenPayments: Listener<OrderView> = (tx, { data }) =>
  enqueue(tx, closePayments, { orderId: data.id })

const byType = new Map<string, readonly Listener[]>()

/** Adds the listeners of a kind of event. They get data of its schema. */
function on<Data extends TSchema>(kind: EventKind<Data>, ...listeners: Listener<Static<Data>>[]): void {
  if (byType.has(kind.type)) throw new Error(`The listeners of ${kind.type} are named twice`)
  byType.set(kind.type, listeners as Listener[])
}

on(orderCreated, mailBuyer)
on(orderUpdated, updateCommission)
on(orderPaid, mailBuyer, updateSubscriptions)
on(orderPaymentFailed, mailBuyer, updateSubscriptions)
on(orderShipmentCreated, mailBuyer)
on(orderCanceled, mailBuyer, updateSubscriptions, closeOpenPayments, settleReturnsOfCanceledOrder)
on(orderDisputed, stopSubscriptions)
on(orderRefunded, mailBuyer, settleReturns, updateCommission)
on(orderRefundFailed, settleReturns, updateCommission)
on(SubscriptionEvents.paymentFailed, mailSubscriber)
on(SubscriptionEvents.suspended, mailSubscriber)
on(SubscriptionEvents.paused, mailSubscriber)
on(SubscriptionEvents.resumed, mailSubscriber)
on(SubscriptionEvents.cancellationScheduled, mailSubscriber)
on(SubscriptionEvents.canceled, mailSubscriber)
on(SubscriptionEvents.completed, mailSubscriber)
on(SubscriptionEvents.cardChanged, mailSubscriber)

/** The listeners of each event type. Events connect domains that may not import each other. */
export const listeners: ReadonlyMap<string, readonly Listener[]> = byType
