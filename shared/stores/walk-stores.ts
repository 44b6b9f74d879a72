import { db } from '#shared/platform/db/db.ts'

const SLICE = 1_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** The ids of all stores, deleted ones too, read in slices: for work of the platform that goes from store to store. */
export async function* walkStores(): AsyncGenerator<string> {
  for (let after = BEFORE_ALL; ; ) {
    const ids = await db()('stores').where('id', '>', after).orderBy('id').limit(SLICE).pluck<string[]>('id')
    yield* ids
    const last = ids.at(-1)
    if (!last || ids.length < SLICE) return
    after = last
  }
}
