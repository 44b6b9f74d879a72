import { inStore, type StoreTx } from '../db/store-scope.ts'

/**
 * All rows in the order of their ids, page after page, each in a short transaction of its own: a slow reader of the rows
 * holds no connection of the pool. `read` returns the rows after an id (null: the first ones), and none at the end. Rows
 * that change while they are read are seen as they are when their page is read.
 */
export async function* readInPages<Row extends { id: string }>(
  storeId: string,
  read: (tx: StoreTx, afterId: string | null) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let last: string | null = null
  for (;;) {
    const afterId: string | null = last
    const rows: Row[] = await inStore(storeId, (tx) => read(tx, afterId))
    last = rows.at(-1)?.id ?? null
    if (last === null) return
    yield rows
  }
}
