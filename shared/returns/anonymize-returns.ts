import { Order } from '#shared/orders/order.ts'
import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'
import { RETURN_WORDS, wordsOfReturn } from './return-words.ts'

// Indexing the search words of more rows would block the event loop.
const BATCH_SIZE = 500

/** Erases the texts of the returns of orders, and the words of their buyers. Returns the ids of the returns. */
export async function anonymizeReturns(tx: StoreTx, orderIds: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const batch of slicesOf(orderIds, BATCH_SIZE)) ids.push(...(await anonymizeBatch(tx, batch)))
  return ids
}

async function anonymizeBatch(tx: StoreTx, orderIds: string[]): Promise<string[]> {
  const returns = await Return.in(tx)
    .whereRaw('order_id = any(?)', [orderIds])
    .patch({ comment: null, message: null, metadata: {}, updatedAt: nextUpdatedAtSql() })
    .returning(['id', 'number', 'order_id'])
  const ids = returns.map(({ id }) => id)
  await ReturnItem.in(tx).whereRaw('return_id = any(?)', [ids]).patch({ note: null })
  await eraseBuyerWords(tx, returns)
  return ids
}

/** Leaves the numbers, by which a return is found for as long as it exists. */
async function eraseBuyerWords(tx: StoreTx, returns: readonly Return[]): Promise<void> {
  const orders = await Order.in(tx)
    .findByIds([...new Set(returns.map(({ orderId }) => orderId))])
    .select('id', 'number')
  const numberOf = new Map(orders.map(({ id, number }) => [id, number]))
  const indexed = returns.map((rma) => {
    const order = { number: numberOf.get(rma.orderId) ?? '', email: '', firstname: '', lastname: '' }
    return { id: rma.id, words: wordsOfReturn(rma, order) }
  })
  await RETURN_WORDS.replace(tx, indexed)
}
