import type { Static } from 'typebox'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { OrderView } from '#shared/orders/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Refund } from './refund.ts'
import { RefundView, viewRefund } from './view.ts'

/** The order, with its new `amount_refunded`, and the refund of the event. */
const RefundedOrderView = Shape({ ...OrderView.properties, refund: RefundView })
export type RefundedOrderView = Static<typeof RefundedOrderView>

export const orderRefunded = defineEvent(
  'order.refunded',
  'sales',
  'An order was refunded in full or in part',
  RefundedOrderView,
)
export const orderRefundFailed = defineEvent(
  'order.refund_failed',
  'sales',
  'A refund of an order failed, or the bank returned its money',
  RefundedOrderView,
)

/** Emits a refund event with the current order. */
export async function emitRefundEvent(
  tx: StoreTx,
  kind: EventKind<typeof RefundedOrderView>,
  refund: Refund,
): Promise<void> {
  await emit(tx, kind, { ...(await loadOrderView(tx, refund.orderId)), refund: viewRefund(refund) })
}
