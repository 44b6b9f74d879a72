import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { rowsOn } from '#shared/reports/facts/fact.ts'
import { ReportErrors } from './errors.ts'

/** The worker prepares sums every five minutes. A day of many orders takes it less than a second. */
const RETRY_SECONDS = 60

interface Days {
  /** YYYY-MM-DD */
  dateFrom: string
  dateTo: string
  timeZone: string
}

/**
 * Throws 503 `report.preparing` if the sums of too many orders are not stored yet, e.g. right after the store's time
 * zone changed. One statement could not sum these orders in time.
 */
export async function assertPrepared(tx: StoreTx, { dateFrom, dateTo, timeZone }: Days): Promise<void> {
  const most = config().REPORT_FRESH_ORDERS
  const { rows } = await tx.knex.raw<{ rows: { orders: number }[] }>(
    `with open_days as materialized (select * from report_open_days(:dateFrom::date, :dateTo::date, :timeZone::text))
     select count(*)::int as orders
     from (select from ${rowsOn('open_days', 'orders', 'paid_at', 'o')} limit :most::int) as fresh`,
    { dateFrom, dateTo, timeZone, most: most + 1 },
  )
  if ((rows[0]?.orders ?? 0) > most) throw ReportErrors.preparing({ retryAfter: RETRY_SECONDS })
}
