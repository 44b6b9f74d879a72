import { db } from '#shared/platform/db/db.ts'

const BATCH_SIZE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Probe {
  store_id: string
  is_overdue: boolean
}

/**
 * Returns the stores with events that are unpublished, or deliveries that are due, since before `dueBefore`. It checks
 * every store, in batches of one statement; a store costs two index probes.
 */
export async function findOverdueStores(dueBefore: Date): Promise<string[]> {
  const overdue: string[] = []
  for (let after = BEFORE_ALL; ; ) {
    const { rows } = await db().raw<{ rows: Probe[] }>('select * from stores_with_overdue_work(?, ?, ?)', [
      after,
      BATCH_SIZE,
      dueBefore,
    ])
    overdue.push(...rows.filter((row) => row.is_overdue).map((row) => row.store_id))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE) return overdue
    after = last.store_id
  }
}
