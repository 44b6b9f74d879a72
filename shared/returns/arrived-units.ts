import type { RefundedUnits } from '#shared/orders/record-refund.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ReturnItem } from './return-item.ts'

/** The units of a return that arrived, by their order's line: items that fared differently are one line's all the same. */
export async function arrivedUnits(tx: StoreTx, returnId: string): Promise<RefundedUnits[]> {
  const items = await ReturnItem.in(tx).where('return_id', returnId).whereNot('disposition', 'missing')
  const units = new Map<string, number>()
  for (const { orderItemId, quantity } of items)
    units.set(orderItemId, (units.get(orderItemId) ?? 0) + quantity)
  return [...units].map(([orderItemId, quantity]) => ({ orderItemId, quantity }))
}
