import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { MAX_VISITORS_PER_DAY, SHARED_ROWS } from './limits.ts'

/** What the numbers of visits mean. */
export const VISITS_DESCRIPTION =
  `One for each visitor and day of the store. After ${MAX_VISITORS_PER_DAY.toLocaleString('en')} visitors of a code ` +
  `and day, all others of that day count as up to ${SHARED_ROWS}`

/**
 * Returns the visits of campaigns and affiliates by id. Each visitor counts once a day. One without visits has no
 * entry.
 */
export async function countVisits(tx: StoreTx, sourceIds: readonly string[]): Promise<Map<string, number>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await tx.knex.raw<{ rows: { id: string; visits: number }[] }>(
    `select source_id as id, sum(visits)::int as visits from campaign_visit_days
     where store_id = :store and source_id = any(:sourceIds) group by 1`,
    { store: tx.storeId, sourceIds: [...sourceIds] },
  )
  return new Map(rows.map(({ id, visits }) => [id, visits]))
}

/** The visits of one campaign or affiliate in a period of the store's days (YYYY-MM-DD, both inclusive). */
export interface VisitsByDay {
  days: { day: string; visits: number }[]
  /** The number of different visitors. One who returns after more than 30 days counts again. */
  visitors: number
}

export async function countVisitsByDay(
  tx: StoreTx,
  sourceId: string,
  { from, to }: { from: string; to: string },
): Promise<VisitsByDay> {
  const values = { store: tx.storeId, source: sourceId, from, to }
  const { rows: days } = await tx.knex.raw<{ rows: VisitsByDay['days'] }>(
    `select day::text, visits from campaign_visit_days
     where store_id = :store and source_id = :source and day between :from and :to`,
    values,
  )
  // A visit whose previous day is in the period is by a visitor who is counted on that day.
  const { rows } = await tx.knex.raw<{ rows: { visits: number }[] }>(
    `select coalesce(sum(visits), 0)::int as visits from campaign_return_visits
     where store_id = :store and source_id = :source and day between :from and :to and previous_day >= :from`,
    values,
  )
  const visits = days.reduce((total, { visits }) => total + visits, 0)
  return { days, visitors: visits - (rows[0]?.visits ?? 0) }
}
