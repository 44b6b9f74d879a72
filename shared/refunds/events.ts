import type { Static } from 'typebox'
import { loadOrderView, OrderView } from '#shared/orders/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Refund } from './refund.ts'
import { RefundView, viewRefund } from './view.ts'

/** The order, `amount_refunded` included, and the refund that it is told for. */
const RefundedOrderView = Shape({ ...OrderView.properties, refund: RefundView })
export type RefundedOrderView = Static<typeof RefundedOrderView>

export const orderRefunded = defineEvent(
  'order.refunded',
  'Money of an order went back, all of it or a part',
  RefundedOrderView,
)
export const orderRefundFailed = defineEvent(
  'order.refund_failed',
  'A refund of an order failed for good, or its money came back',
  RefundedOrderView,
)

/** Tells of a refund with its order as it is now. */
export async function emitRefundEvent(tx: StoreTx, kind: EventKind, refund: Refund): Promise<void> {
  await emit(tx, kind, { ...(await loadOrderView(tx, refund.orderId)), refund: viewRefund(refund) })
}
