import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { visitDays } from './visit-days.ts'

/**
 * SQL: the last day whose visits are counted in `campaign_visit_days`; all visits of earlier days are counted there.
 */
const COUNTED_UNTIL = `coalesce((select max(day) from campaign_visit_days where store_id = :store), '-infinity')`

/**
 * Returns the visits of campaigns and affiliates by id. Each visitor counts once a day. One without visits has no
 * entry.
 */
export async function countVisits(tx: StoreTx, sourceIds: readonly string[]): Promise<Map<string, number>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await tx.knex.raw<{ rows: { id: string; visits: number }[] }>(
    `select id, sum(visits)::int as visits from (
       select source_id as id, visits from campaign_visit_days where store_id = :store and source_id = any(:sourceIds)
       union all
       select source_id, count(*) from campaign_visits
       where store_id = :store and source_id = any(:sourceIds) and day > ${COUNTED_UNTIL}
       group by 1) counted
     group by id`,
    { store: tx.storeId, sourceIds: [...sourceIds] },
  )
  return new Map(rows.map(({ id, visits }) => [id, visits]))
}

/** The visits of one campaign or affiliate in a period of the store's days (YYYY-MM-DD, both inclusive). */
export interface VisitsByDay {
  days: { day: string; visits: number }[]
  /** The number of different visitors. For visits older than 13 months, each day counts separately. */
  visitors: number
}

export async function countVisitsByDay(
  tx: StoreTx,
  sourceId: string,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<VisitsByDay> {
  const { keptFrom: kept } = visitDays(timeZone)
  const values = { store: tx.storeId, source: sourceId, from, to, kept }
  const { rows: days } = await tx.knex.raw<{ rows: VisitsByDay['days'] }>(
    `select day::text, sum(visits)::int as visits from (
       select day, visits from campaign_visit_days
       where store_id = :store and source_id = :source and day between :from and :to
       union all
       select day, count(*) from campaign_visits
       where store_id = :store and source_id = :source and day between :from and :to and day > ${COUNTED_UNTIL}
       group by 1) counted
     group by day`,
    values,
  )
  const { rows } = await tx.knex.raw<{ rows: { visitors: number }[] }>(
    `select count(distinct visitor)::int as visitors from campaign_visits
     where store_id = :store and source_id = :source and day between :from and :to and day >= :kept`,
    values,
  )
  const old = days.filter(({ day }) => day < kept).reduce((total, { visits }) => total + visits, 0)
  return { days, visitors: old + (rows[0]?.visitors ?? 0) }
}
