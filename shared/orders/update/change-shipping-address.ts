import { isDeepStrictEqual } from 'node:util'
import type { PostalAddress } from '#shared/geo/address.ts'
import { assertPlace, findZonesContaining } from '#shared/geo/place.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { type LockedOrder, Order } from '#shared/orders/order.ts'
import { hasShippedUnits } from '#shared/orders/order-item.ts'
import { addHistoryNote, assertHistoryLeft } from '#shared/orders/order-step.ts'
import { UNSENT_ORDER_STATUSES } from '#shared/orders/states.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A function of order-mails. Orders may not import it, so the caller passes it in. */
export interface AddressMailsPort {
  /** Mails the new shipping address of a paid order to its buyer. */
  mailNewAddress(tx: StoreTx, order: LockedOrder): Promise<void>
}

/**
 * Changes the shipping address of an order before its first shipment. The new address must be in the same country and
 * geo zones, because the tax and shipping costs were agreed. The buyer of a paid order gets a mail. Throws 422 for an
 * unknown place, and `order.address_fixed`, `order.address_in_other_zone` and `order.history_limit_reached`. Returns
 * the changed order.
 */
export async function changeShippingAddress(
  tx: StoreTx,
  order: LockedOrder,
  address: PostalAddress,
  actor: OrderActor,
  mails: AddressMailsPort,
): Promise<LockedOrder> {
  assertPlace(address, 'shipping_address')
  await assertNotSent(tx, order)
  const before = order.shippingAddress
  if (isDeepStrictEqual(before, address)) return order
  await assertSameZones(tx, before, address)
  await assertHistoryLeft(tx, order.id)
  const changes = { shippingAddress: address, updatedAt: nextUpdatedAt(order) }
  await Order.in(tx).findById(order.id).patch(changes)
  await addHistoryNote(tx, order, `Shipping address changed. It was: ${onOneLine(before)}`, actor)
  await emitOrderEvents(tx, order.id, [orderUpdated])
  const changed = order.with(changes)
  await mails.mailNewAddress(tx, changed)
  return changed
}

async function assertNotSent(tx: StoreTx, { id, status }: Order): Promise<void> {
  const isShipped = await hasShippedUnits(tx, id)
  if (isShipped || !UNSENT_ORDER_STATUSES.has(status)) throw OrderErrors.addressFixed({ status, isShipped })
}

async function assertSameZones(tx: StoreTx, before: PostalAddress, after: PostalAddress): Promise<void> {
  const isSame =
    before.country === after.country &&
    isDeepStrictEqual(await findZonesContaining(tx, before), await findZonesContaining(tx, after))
  if (!isSame) throw OrderErrors.addressInOtherZone()
}

const onOneLine = (address: PostalAddress): string =>
  [
    `${address.firstname} ${address.lastname}`,
    address.company,
    address.address_1,
    address.address_2,
    `${address.postcode} ${address.city}`,
    address.zone,
    address.country,
  ]
    .filter(Boolean)
    .join(', ')
