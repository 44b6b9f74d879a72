import type { Order } from '#shared/orders/order.ts'
import { findOrderItems, type LineUnits } from '#shared/orders/order-item.ts'
import { countReplacedUnits } from '#shared/orders/replacements/count-replaced-units.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { unitsLeft } from '#shared/refunds/calculate/refundable-order.ts'
import { countArrivedUnits } from '#shared/returns/return-item.ts'

/**
 * Returns the arrived units of a return for which the store owes money: they are neither refunded nor replaced. None if
 * the whole amount of the order is refunded. The caller has locked the order.
 */
export async function findOwedUnits(tx: StoreTx, order: Order, returnId: string): Promise<LineUnits[]> {
  if (order.paymentStatus === 'refunded') return []
  const arrived = await countArrivedUnits(tx, returnId)
  const lines = await findOrderItems(tx, order.id)
  const replaced = await countReplacedUnits(tx, order.id)
  return arrived.flatMap(({ orderItemId, quantity }) => {
    const line = lines.find(({ id }) => id === orderItemId)
    const owed = line ? Math.min(quantity, unitsLeft({ replaced }, line)) : 0
    return owed > 0 ? [{ orderItemId, quantity: owed }] : []
  })
}
