import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import type { OrderActor } from '../actor.ts'
import { OrderErrors } from '../errors.ts'
import { type LockedOrder, lockOrder, type Order } from '../order.ts'
import { hasShippedUnits, recordAllShipped } from '../order-item.ts'
import { ORDER_TRANSITIONS, type OrderStatus, SENDS_GOODS } from '../states.ts'
import { releaseHeld } from '../stock/hold.ts'
import { assertStockToShip } from '../stock/order-shortage.ts'
import { transitionOrderStock } from '../stock/order-stock.ts'
import { reserveResources } from '../stock/resources.ts'
import { transitionOrder } from './transition-order.ts'

export interface StatusChange {
  note?: string | null | undefined
  /** For a cancellation: the shipped units are back in stock. Default: they are lost. */
  restock?: boolean | undefined
  /** For a shipment: it ships although not all units are on hand. */
  override?: boolean | undefined
}

/**
 * Changes the status of an order, with its resources, history and events. No money moves: paid money is refunded
 * before its order can be canceled. Throws `resource.not_found`, `order.invalid_transition`, `order.refund_required`,
 * `order.stock_short`, and the errors of `reserveResources`. Returns the order as it was before.
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
  await transitionOrder(tx, order, { to, actor, note: joinNotes(note, shortNote) })
  return order
}

const joinNotes = (...notes: (string | null)[]): string | null =>
  notes.filter((note) => note !== null).join(' ') || null

/**
 * An order that shipped, even in part, is canceled when its buyer did not accept it, so none of its total was paid. A
 * free order has no total to refuse: the units of a canceled replacement could be refunded although the buyer got them.
 */
async function assertCancelable(
  tx: StoreTx,
  { id, status, refundableMinor, amountCapturedMinor, totalMinor }: Order,
): Promise<void> {
  if (refundableMinor > 0n) throw OrderErrors.refundRequired()
  if (totalMinor > 0n && amountCapturedMinor === 0n) return
  if (status !== 'shipped' && !(await hasShippedUnits(tx, id))) return
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
      // Voucher and coupon stay used.
      return transitionOrderStock(tx, order, to)
  }
}
