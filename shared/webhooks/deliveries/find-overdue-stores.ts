import { db } from '#shared/platform/db/db.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'
import { now } from '#shared/platform/time/clock.ts'

const BATCH_SIZE = 5_000

interface Probe {
  store_id: string
  is_overdue: boolean
}

/**
 * Returns the ids of stores with events that are unpublished, or queued deliveries that are due, since before
 * `dueBefore`, or with held deliveries that are due now. It checks all stores. One statement checks a batch, with a few
 * index probes for each store.
 */
export async function findOverdueStores(dueBefore: Date): Promise<string[]> {
  const overdue: string[] = []
  for (let after = NIL_ID; ; ) {
    const { rows } = await db().raw<{ rows: Probe[] }>('select * from stores_with_overdue_work(?, ?, ?, ?)', [
      after,
      BATCH_SIZE,
      dueBefore,
      now(),
    ])
    overdue.push(...rows.filter((row) => row.is_overdue).map((row) => row.store_id))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE) return overdue
    after = last.store_id
  }
}
