import { db } from '#shared/platform/db/db.ts'

/**
 * A run reads at most this many rows of all stores. The first of the month can make 5,000 subscriptions of each store
 * due; 200,000 rows took the worker 200 ms in one turn and minutes to enqueue.
 */
const MOST = 20_000

/**
 * Runs a query over all stores, with the column "storeId". Returns at most `most` rows: the first row of each store,
 * then the second of each, and so on, so that no store waits for another's backlog. The next run finds the rest.
 */
export async function findDueRows<Row extends { storeId: string }>(
  sql: string,
  values: readonly (Date | number | string | string[])[],
  most = MOST,
): Promise<Row[]> {
  const { rows } = await db().raw<{ rows: (Row & { position: string })[] }>(
    `select * from (select found.*, row_number() over () as position from (${sql}) found) numbered
     order by row_number() over (partition by "storeId" order by position), position limit ?`,
    [...values, most],
  )
  return rows.map(({ position: _, ...row }) => row as unknown as Row)
}
