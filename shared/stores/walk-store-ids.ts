import { db } from '#shared/platform/db/db.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'

const BATCH_SIZE = 1_000

/**
 * Yields the ids of all stores, also of deleted ones, but not of those whose purge has started unless
 * `includesPurging`. Reads them in batches.
 */
export async function* walkStoreIds({ includesPurging = false } = {}): AsyncGenerator<string> {
  for (let after = NIL_ID; ; ) {
    const ids = await db()('stores')
      .where('id', '>', after)
      .where((chosen) => (includesPurging ? chosen : chosen.whereNull('purge_started_at')))
      .orderBy('id')
      .limit(BATCH_SIZE)
      .pluck<string[]>('id')
    yield* ids
    const last = ids.at(-1)
    if (!last || ids.length < BATCH_SIZE) return
    after = last
  }
}
