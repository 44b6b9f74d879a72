import { db } from '#shared/platform/db/db.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'

const BATCH_SIZE = 5_000

/** A store can hold millions of deliveries. Counting so many shows that its webhooks are behind. */
const MAX_PER_STORE = 1_000

interface HeldByStore {
  store_id: string
  held: number
}

/**
 * Counts the held deliveries of all stores, at most `maxPerStore` of each. One statement counts a batch of stores, with
 * one probe of an index for each.
 */
export async function countHeldDeliveries(maxPerStore = MAX_PER_STORE): Promise<number> {
  let held = 0
  for (let after = NIL_ID; ; ) {
    const { rows } = await db().raw<{ rows: HeldByStore[] }>(
      'select * from held_webhook_deliveries(?, ?, ?)',
      [after, BATCH_SIZE, maxPerStore],
    )
    held += rows.reduce((sum, row) => sum + row.held, 0)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE) return held
    after = last.store_id
  }
}
