import type { LineUnits } from '#shared/orders/order-item.ts'
import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Disposition, ReturnCondition, ReturnReason } from './states.ts'

/** The units of an order's line on a return. On receipt, units with different dispositions become separate items. */
export class ReturnItem extends StoreModel {
  static override tableName = 'return_items'

  declare returnId: string
  declare orderItemId: string
  declare position: number
  declare quantity: number
  declare reason: ReturnReason
  declare condition: ReturnCondition | null
  declare note: string | null
  /** Null before receipt. */
  declare disposition: Disposition | null
}

/** Units of an order's line that the buyer wants to return. */
export type RequestedItem = Pick<ReturnItem, 'orderItemId' | 'quantity' | 'reason' | 'condition' | 'note'>

/** Replaces the items of a return before its receipt. An item of the same line keeps its id. */
export async function replaceItems(
  tx: StoreTx,
  returnId: string,
  items: readonly RequestedItem[],
): Promise<void> {
  const before = await ReturnItem.in(tx).where('return_id', returnId)
  await ReturnItem.in(tx).where('return_id', returnId).delete()
  await ReturnItem.in(tx).insert(
    items.map((item, position) => ({
      ...item,
      id: before.find(({ orderItemId }) => orderItemId === item.orderItemId)?.id ?? newId(),
      returnId,
      position,
    })),
  )
}

/** Counts the arrived units of a return by order line. A line can have several items, one for each disposition. */
export async function countArrivedUnits(tx: StoreTx, returnId: string): Promise<LineUnits[]> {
  const items = await ReturnItem.in(tx).where('return_id', returnId).whereNot('disposition', 'missing')
  const units = new Map<string, number>()
  for (const { orderItemId, quantity } of items)
    units.set(orderItemId, (units.get(orderItemId) ?? 0) + quantity)
  return [...units].map(([orderItemId, quantity]) => ({ orderItemId, quantity }))
}
