import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { AskedItem } from './assert-returnable.ts'
import { ReturnItem } from './return-item.ts'

/** Makes these the items of a return that is not here yet. What was on it before keeps its id. */
export async function putItems(tx: StoreTx, returnId: string, items: readonly AskedItem[]): Promise<void> {
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
