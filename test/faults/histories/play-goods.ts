import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { adjustStock } from '#shared/inventory/adjust-stock.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { findShipments } from '#shared/orders/shipment.ts'
import { createShipment } from '#shared/orders/shipments/create-shipment.ts'
import { deleteShipment } from '#shared/orders/shipments/delete-shipment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { approveReturn } from '#shared/returns/lifecycle/approve-return.ts'
import { receiveReturn } from '#shared/returns/lifecycle/receive-return.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { restockReturn } from '#shared/returns/lifecycle/restock-return.ts'
import { requestReturn } from '#shared/returns/request/request-return.ts'
import { countReturned } from '#shared/returns/request/returnable-units.ts'
import { Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import { inShop, orderOf, type Play, type Plays, STAFF, unitsOf } from './play.ts'

/** Plays what happens to goods: shipments, counts and returns. */
export const PLAY_GOODS: Plays<
  'ship' | 'deleteShipment' | 'adjustStock' | 'requestReturn' | 'progressReturn'
> = {
  ship: (play, { order, line, units, override }) =>
    inShop(play, async (tx) => {
      const { id } = orderOf(play, order)
      const items = [await unitsOf(tx, id, { line, units })]
      return createShipment(tx, id, { items, override }, STAFF, { assertMayShip })
    }),
  deleteShipment: (play, { order }) =>
    inShop(play, async (tx) => {
      const { id: orderId } = orderOf(play, order)
      const last = (await findShipments(tx, [orderId])).get(orderId)?.at(-1)
      if (!last) return
      await deleteShipment(tx, { orderId, shipmentId: last.shipment.id }, STAFF, { countReturned })
    }),
  adjustStock: (play, { variant, delta }) =>
    inShop(play, (tx) => adjustStock(tx, play.shop.variantIds[variant] ?? '', { delta, note: null })),
  requestReturn: (play, { order, units, action }) =>
    inShop(play, async (tx) => {
      const { id } = orderOf(play, order)
      const [line] = await findOrderItems(tx, id)
      const quantity = Math.min(units, line?.quantity ?? 1)
      const item = {
        orderItemId: line?.id ?? '',
        quantity,
        reason: 'unwanted',
        condition: null,
        note: null,
      } as const
      return requestReturn(tx, id, { action, comment: null, items: [item] }, STAFF)
    }),
  progressReturn: (play, { order, disposition, restock, feePercent }) =>
    inShop(play, async (tx) => {
      const returned = await Return.in(tx)
        .where('order_id', orderOf(play, order).id)
        .orderBy('id', 'desc')
        .first()
      if (!returned) return
      if (returned.status === 'requested') return approveReturn(tx, returned.id, null, STAFF)
      if (returned.status === 'approved') {
        const items = await ReturnItem.in(tx).where('return_id', returned.id)
        const arrivals = items.map(({ id }) => ({
          itemId: id,
          quantity: undefined,
          disposition,
          condition: undefined,
        }))
        return receiveReturn(tx, returned.id, arrivals, STAFF)
      }
      if (restock) return restockReturn(tx, returned.id, STAFF)
      if (returned.action === 'replacement') return placeReplacement(tx, play, returned.id)
      const [line] = await findOrderItems(tx, returned.orderId)
      const feeMinor = (((line?.totalMinor ?? 0n) / BigInt(line?.quantity ?? 1)) * BigInt(feePercent)) / 100n
      return refundReturn(tx, returned.id, { feeMinor }, STAFF)
    }),
}

/** A replacement is an order that can be shipped, canceled and returned, too. */
async function placeReplacement(tx: StoreTx, play: Play, returnId: string): Promise<void> {
  const { replacementOrderId } = await replaceReturn(tx, returnId, STAFF)
  if (replacementOrderId) play.orders.push({ id: replacementOrderId, accessToken: null })
}
