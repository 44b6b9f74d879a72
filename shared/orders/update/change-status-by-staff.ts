import type { OrderActor } from '#shared/orders/actor.ts'
import { changeOrderStatus, type StatusChange } from '#shared/orders/lifecycle/change-order-status.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { createShipment, type ShippingPort } from '#shared/orders/shipments/create-shipment.ts'
import { hasUnshipped } from '#shared/orders/shipments/units-to-ship.ts'
import { type OrderStatus, SENDS_GOODS } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

interface StatusChangeByStaff extends StatusChange {
  to: OrderStatus
  actor: OrderActor
}

/**
 * Changes the status of an order for staff. A status that sends the goods first ships all units that are left. Throws
 * the errors of `changeOrderStatus`, `createShipment` and `shipping.assertMayShip`.
 */
export async function changeStatusByStaff(
  tx: StoreTx,
  order: LockedOrder,
  { to, actor, ...change }: StatusChangeByStaff,
  shipping: ShippingPort,
): Promise<void> {
  if (SENDS_GOODS.has(to)) await shipping.assertMayShip(tx, order)
  if (!SENDS_GOODS.has(to) || !(await hasUnitsToShip(tx, order))) {
    await changeOrderStatus(tx, order.id, to, actor, change)
    return
  }
  const { note, ...others } = change
  await createShipment(tx, order.id, { note, override: change.override }, actor, shipping)
  // The shipment of the last units has made the order `shipped`, and its note is in the history.
  if (to !== 'shipped') await changeOrderStatus(tx, order.id, to, actor, others)
}

const hasUnitsToShip = async (tx: StoreTx, { id, status }: LockedOrder): Promise<boolean> =>
  status === 'processing' && hasUnshipped(await findOrderItems(tx, id))
