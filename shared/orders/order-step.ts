import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { OrderActor } from './actor.ts'
import { OrderErrors } from './errors.ts'
import type { Order } from './order.ts'
import type { OrderStatus } from './states.ts'

/** A change of an order's status, or a note, and its actor. */
export class OrderStep extends StoreModel {
  static override tableName = 'order_steps'

  declare orderId: string
  declare fromStatus: OrderStatus | null
  declare toStatus: OrderStatus
  declare actor: OrderActor
  declare note: string | null
  /** The shipment or return that a note is about. It may be deleted by now. */
  declare shipmentId: string | null
  declare returnId: string | null
  declare createdAt: Date
}

/** Returns the history of an order, oldest first. */
export const listOrderHistory = (tx: StoreTx, orderId: string): PromiseLike<OrderStep[]> =>
  OrderStep.in(tx).where('order_id', orderId).orderBy('id')

/** The subject of a note, besides its order. */
export interface NoteSubject {
  shipmentId?: string
  returnId?: string
}

/** Adds a note to the history of an order, without a change of status. */
export async function addHistoryNote(
  tx: StoreTx,
  order: Order,
  note: string,
  actor: OrderActor,
  subject: NoteSubject = {},
): Promise<void> {
  const { id: orderId, status } = order
  await OrderStep.in(tx).insert({
    orderId,
    fromStatus: status,
    toStatus: status,
    actor,
    note,
    ...subject,
    createdAt: now(),
  })
}

// Each change of an order reads its whole history for the audit log. With thousands, it would block other requests.
const MAX_ENTRIES = 500

/** Throws `order.history_limit_reached` if staff may add no more entries to an order's history. The order is locked. */
export async function assertHistoryLeft(tx: StoreTx, orderId: string): Promise<void> {
  const entries = await OrderStep.in(tx).where('order_id', orderId).resultSize()
  if (entries >= MAX_ENTRIES) throw OrderErrors.historyLimitReached({ limit: MAX_ENTRIES })
}

/** Returns the time at which an order was completed, even if it was refunded later; null if it never was. */
export async function findCompletion(tx: StoreTx, orderId: string): Promise<Date | null> {
  const step = await OrderStep.in(tx)
    .where({ order_id: orderId, to_status: 'complete' })
    .orderBy('created_at')
    .first()
  return step?.createdAt ?? null
}
