import { DAILY_SALES } from '#shared/orders/figures/daily-sales.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'

/** Orders are paid, canceled and refunded within about this time. A later change is not counted. */
const CHANGING_MS = 35 * DAY_MS

const ROLL_UP = `
  insert into platform_daily_figures (day, store_id, currency, orders, revenue_minor, tallied_at)
  select day, store_id, currency, orders, revenue_minor, ?::timestamptz from (${DAILY_SALES}) sales
  on conflict (day, store_id, currency) do update
  set orders = excluded.orders, revenue_minor = excluded.revenue_minor, tallied_at = excluded.tallied_at`

/** Adds up a store's orders of the last five weeks by the day (UTC) on which they were placed. */
export async function rollUpStore({ knex, storeId }: StoreTx): Promise<void> {
  await knex.raw(ROLL_UP, [now(), storeId, inMs(-CHANGING_MS)])
}
