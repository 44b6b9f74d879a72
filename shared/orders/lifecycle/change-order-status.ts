import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { type LockedOrder, lockOrder, type Order } from '#shared/orders/order.ts'
import { hasShippedUnits, recordAllShipped } from '#shared/orders/order-item.ts'
import { ORDER_TRANSITIONS, type OrderStatus, SENDS_GOODS } from '#shared/orders/states.ts'
import { releaseHeld } from '#shared/orders/stock/hold.ts'
import { assertStockToShip } from '#shared/orders/stock/order-shortage.ts'
import { transitionOrderStock } from '#shared/orders/stock/order-stock.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { transitionOrder } from './transition-order.ts'

export interface StatusChange {
  note?: string | null | undefined
  /** For a cancellation: puts the shipped units back in stock. Default: they stay lost. */
  restock?: boolean | undefined
  /** For a shipment: ship even if not all units are on hand. */
  override?: boolean | undefined
}

/**
 * Changes the status of an order, and with it the resources, history and events. It moves no money: a paid order must
 * be refunded before it can be canceled. Throws `resource.not_found`, `order.invalid_transition`,
 * `order.refund_required`, `order.stock_short`, and the errors of `reserveResources`. Returns the changed order.
 */
export async function changeOrderStatus(
  tx: StoreTx,
  orderId: string,
  to: OrderStatus,
  actor: OrderActor,
  { note = null, restock = false, override = false }: StatusChange = {},
): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId)
  assertTransition(ORDER_TRANSITIONS, order.status, to, OrderErrors.invalidTransition)
  if (to === 'canceled') await assertCancelable(tx, order)
  const shortNote = SENDS_GOODS.has(to) ? await assertStockToShip(tx, order, { override }) : null

  await transitionResources(tx, order, to, restock)
  if (SENDS_GOODS.has(to)) await recordAllShipped(tx, orderId)
  return transitionOrder(tx, order, { to, actor, note: joinNotes(note, shortNote) })
}

const joinNotes = (...notes: (string | null)[]): string | null =>
  notes.filter((note) => note !== null).join(' ') || null

/**
 * Throws if an order cannot be canceled. An order that shipped, even in part, can be canceled only if its buyer refused
 * it or sent it back, and paid nothing. A shipped free order cannot: the buyer of a canceled replacement would have its
 * units and could get them refunded.
 */
async function assertCancelable(
  tx: StoreTx,
  { id, status, refundableMinor, amountCapturedMinor, totalMinor }: Order,
): Promise<void> {
  if (refundableMinor > 0n) throw OrderErrors.refundRequired()
  if (totalMinor > 0n && amountCapturedMinor === 0n) return
  if (!SENDS_GOODS.has(status) && !(await hasShippedUnits(tx, id))) return
  if (amountCapturedMinor > 0n) throw OrderErrors.refundRequired()
  throw OrderErrors.invalidTransition({ from: status, to: 'canceled', isShipped: true })
}

async function transitionResources(
  tx: StoreTx,
  order: LockedOrder,
  to: OrderStatus,
  restock: boolean,
): Promise<void> {
  switch (to) {
    case 'pending':
    case 'processing':
      return reserveResources(tx, order, to)
    case 'failed':
    case 'canceled':
      return releaseHeld(tx, order, { restock })
    default:
      // The voucher and the coupon stay used.
      return transitionOrderStock(tx, order, to)
  }
}
