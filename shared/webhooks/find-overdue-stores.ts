import { db } from '#shared/platform/db/db.ts'

const SLICE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Probe {
  store_id: string
  is_overdue: boolean
}

/**
 * The stores that have events unpublished, or deliveries not attempted, since before `dueBefore`. Every store is
 * looked into, in slices of one statement each; a store costs two index probes.
 */
export async function findOverdueStores(dueBefore: Date): Promise<string[]> {
  const overdue: string[] = []
  for (let after = BEFORE_ALL; ; ) {
    const { rows } = await db().raw<{ rows: Probe[] }>('select * from stores_with_overdue_work(?, ?, ?)', [
      after,
      SLICE,
      dueBefore,
    ])
    overdue.push(...rows.filter((row) => row.is_overdue).map((row) => row.store_id))
    const last = rows.at(-1)
    if (!last || rows.length < SLICE) return overdue
    after = last.store_id
  }
}
