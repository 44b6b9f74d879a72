import { UNSOLD_ORDER_STATUSES } from '#shared/orders/states.ts'
import { toSqlList } from '#shared/platform/states.ts'

/**
 * SQL: the sales of one store by the day (UTC) on which orders were placed. Columns: `day`, `store_id`, `currency`,
 * `orders` (without failed and canceled ones) and `revenue_minor` (captured less refunded). Parameters: the store, and
 * a time on the first day.
 */
export const DAILY_SALES = `
  select (created_at at time zone 'UTC')::date as day, store_id, currency,
    count(*) filter (where status not in ${toSqlList(UNSOLD_ORDER_STATUSES)}) as orders,
    sum(amount_captured_minor - amount_refunded_minor) as revenue_minor
  from orders where store_id = ? and created_at >= date_trunc('day', ?::timestamptz, 'UTC')
  group by 1, 2, 3`
