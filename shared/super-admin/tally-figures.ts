import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'

/** Orders change for so long: they are paid, canceled, refunded. What changes later is not counted again. */
const CHANGING_MS = 35 * DAY_MS

const TALLY = `
  insert into platform_daily_figures (day, store_id, currency, orders, revenue_minor, tallied_at)
  select (created_at at time zone 'UTC')::date, store_id, currency,
    count(*) filter (where status not in ('failed', 'canceled')),
    sum(amount_captured_minor - amount_refunded_minor), ?
  from orders where store_id = ? and created_at >= date_trunc('day', ?::timestamptz, 'UTC')
  group by 1, 2, 3
  on conflict (day, store_id, currency) do update
  set orders = excluded.orders, revenue_minor = excluded.revenue_minor, tallied_at = excluded.tallied_at`

/** Adds up a store's orders of the last five weeks, by the day (UTC) they were placed on. */
export async function tallyStore({ knex, storeId }: StoreTx): Promise<void> {
  await knex.raw(TALLY, [now(), storeId, inMs(-CHANGING_MS)])
}
