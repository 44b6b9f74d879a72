import { db } from '#shared/platform/db/db.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'

const BATCH_SIZE = 1_000

/** Yields the ids of all stores, deleted ones included, read in batches. */
export async function* walkStoreIds(): AsyncGenerator<string> {
  for (let after = NIL_ID; ; ) {
    const ids = await db()('stores')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .pluck<string[]>('id')
    yield* ids
    const last = ids.at(-1)
    if (!last || ids.length < BATCH_SIZE) return
    after = last
  }
}
