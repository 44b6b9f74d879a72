import type { OrderView } from '#shared/orders/view.ts'
import { closePayments } from '#shared/payments/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import type { RefundedOrderView } from '#shared/refunds/events.ts'
import { settleReturn } from '#shared/returns/jobs.ts'

/** What follows from an event: runs in the transaction that publishes it, and may do no more than enqueue jobs. */
export type Listener = (tx: StoreTx, event: PublishedEvent) => Promise<unknown>

/** Event type → what follows. What would need an import against the order of domains is a line here. */
export const listeners: Readonly<Record<string, readonly Listener[]>> = {
  'order.canceled': [(tx, { data }) => enqueue(tx, closePayments, { orderId: (data as OrderView).id })],
  'order.refunded': [
    (tx, { data }) => enqueue(tx, settleReturn, { refundId: (data as RefundedOrderView).refund.id }),
  ],
}
