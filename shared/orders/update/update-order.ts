import type { PostalAddress } from '#shared/geo/address.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { type LockedOrder, lockOrder, Order } from '#shared/orders/order.ts'
import { addHistoryNote, assertHistoryLeft } from '#shared/orders/order-step.ts'
import type { ShippingPort } from '#shared/orders/shipments/create-shipment.ts'
import { type OrderStatus, SENDS_GOODS } from '#shared/orders/states.ts'
import { restockOrder } from '#shared/orders/stock/order-stock.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { invalid } from '#shared/platform/validation.ts'
import { assertMay, type RightsHolder } from '#shared/staff/rights.ts'
import { type AddressMailsPort, changeShippingAddress } from './change-shipping-address.ts'
import { changeStatusByStaff } from './change-status-by-staff.ts'

export interface OrderUpdate {
  status?: OrderStatus | undefined
  note?: string | undefined
  metadata?: MetadataChange | undefined
  shippingAddress?: PostalAddress | undefined
  /** With the status `canceled`: puts the goods back in stock. */
  restock?: boolean | undefined
  /** With a status that sends the goods: ship even if not all units are on hand. */
  override?: boolean | undefined
}

/** A function of refunds. Orders may not import refunds, so the caller passes it in. */
export interface RefundsPort<Refund> {
  /** Requests a refund of everything that is left, with a note for staff. Null if there is nothing to wait for. */
  refundRemainder(
    tx: StoreTx,
    orderId: string,
    actor: OrderActor,
    note?: string | null,
  ): Promise<Refund | null>
}

export interface OrderUpdateOptions<Refund> {
  /** The staff member or API token that updates the order. */
  staff: RightsHolder & { name: OrderActor }
  ifMatch: string | undefined
  refunds: RefundsPort<Refund>
  shipping: ShippingPort
  mails: AddressMailsPort
}

/**
 * Updates an order for staff. The status `refunded` requests a refund of everything that is left; the order gets the
 * status once the money is back. A status that sends the goods ships all units that are left. A repeat of `canceled`
 * with `restock` restocks goods that arrived later. Returns the refund; null if there is none to wait for. Throws
 * `order.refund_forbidden` for the status `refunded` without the right `refund`, `order.history_limit_reached`, the
 * errors of `changeStatusByStaff` and `changeShippingAddress`, and 422.
 */
export async function updateOrder<Refund>(
  tx: StoreTx,
  orderId: string,
  update: OrderUpdate,
  { staff, ifMatch, refunds, shipping, mails }: OrderUpdateOptions<Refund>,
): Promise<Refund | null> {
  const { name: actor } = staff
  const { status, note, restock, override } = update
  if (status === 'refunded') assertMay(staff, 'refund')
  assertConsistent(update)
  const locked = await lockOrder(tx, orderId)
  assertUnchanged(locked, ifMatch)
  const order = await changeDetails(tx, locked, update, actor, mails)
  if (status === 'refunded') return refunds.refundRemainder(tx, orderId, actor, note)
  if (status && status !== order.status)
    await changeStatusByStaff(tx, order, { to: status, actor, note, restock, override }, shipping)
  else await restockOrNote(tx, order, update, actor)
  return null
}

/** Restocks the goods of an order, adds a note, or does both. */
async function restockOrNote(
  tx: StoreTx,
  order: LockedOrder,
  { restock, note }: OrderUpdate,
  actor: OrderActor,
): Promise<void> {
  if (restock) await restockOrder(tx, order)
  if (!note) return
  await assertHistoryLeft(tx, order.id)
  await addHistoryNote(tx, order, note, actor)
}

async function changeDetails(
  tx: StoreTx,
  order: LockedOrder,
  { metadata, shippingAddress }: OrderUpdate,
  actor: OrderActor,
  mails: AddressMailsPort,
): Promise<LockedOrder> {
  const described = metadata === undefined ? order : await changeMetadata(tx, order, metadata)
  return shippingAddress ? changeShippingAddress(tx, described, shippingAddress, actor, mails) : described
}

async function changeMetadata(tx: StoreTx, order: LockedOrder, change: MetadataChange): Promise<LockedOrder> {
  const changes = { metadata: mergeMetadata(order.metadata, change), updatedAt: nextUpdatedAt(order) }
  await Order.in(tx).findById(order.id).patch(changes)
  await emitOrderEvents(tx, order.id, [orderUpdated])
  return order.with(changes)
}

/** Throws 422 for an option that the status does not have. */
function assertConsistent({ status, restock, override }: OrderUpdate): void {
  if (restock !== undefined && status !== 'canceled')
    throw invalid(['restock'], '`restock` needs the status `canceled`', restock)
  if (override !== undefined && !(status && SENDS_GOODS.has(status)))
    throw invalid(['override'], '`override` needs the status `shipped` or `complete`', override)
}
