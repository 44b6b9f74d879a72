import type { Static } from 'typebox'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { OrderView } from '#shared/orders/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Dispute } from './dispute.ts'
import { DisputeView, viewDispute } from './view.ts'

/** The order, and the dispute of the event. */
const DisputedOrderView = Shape({ ...OrderView.properties, dispute: DisputeView })
export type DisputedOrderView = Static<typeof DisputedOrderView>

export const orderDisputed = defineEvent(
  'order.disputed',
  'sales',
  'A buyer disputes the payment of an order at the bank',
  DisputedOrderView,
)
export const orderDisputeClosed = defineEvent(
  'order.dispute_closed',
  'sales',
  'A dispute of an order was won, lost or withdrawn',
  DisputedOrderView,
)

/** Emits a dispute event with the current order. */
export async function emitDisputeEvent(
  tx: StoreTx,
  kind: EventKind<typeof DisputedOrderView>,
  dispute: Dispute,
): Promise<void> {
  await emit(tx, kind, { ...(await loadOrderView(tx, dispute.orderId)), dispute: viewDispute(dispute) })
}
