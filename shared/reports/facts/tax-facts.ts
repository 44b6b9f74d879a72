import { isPaidBackSql } from '#shared/refunds/refund.ts'
import { type Fact, onDay, rowsOn } from './fact.ts'
import { refundedOf } from './sql.ts'
import { TAX_BACK } from './tax-back.ts'

const CLASS_OF_LINE = `coalesce(i.tax_class_id::text, '')`
const CLASS_OF_SHIPPING = `coalesce(o.shipping_tax_class_id::text, '')`

/** SQL: the orders that were paid, or had a refund settled, on the days. */
const ordersOfDays = (days: string): string => `
  orders_of_days as (
    select o.id, o.currency, o.status, o.shipping_address ->> 'country' as country, o.amount_captured_minor as captured,
      found.paid_day
    from (
      select id, max(paid_day) as paid_day from (
        select o.id, d.day as paid_day from ${rowsOn(days, 'orders', 'paid_at', 'o')}
        union all
        select r.order_id, null from ${rowsOn(days, 'refunds', 'settled_at', 'r')} where ${isPaidBackSql('r')}) as ids
      group by id) as found
    join orders o on o.id = found.id)`

/** SQL: the sales of each tax class and rate of `orders_of_days`, with and without tax. */
const SOLD = `
  bases as (
    select order_id, class, sum(gross) as gross, sum(gross - tax) as net
    from (
      select i.order_id, ${CLASS_OF_LINE} as class, i.total_minor as gross, i.tax_minor as tax
      from orders_of_days a join order_items i on i.order_id = a.id where i.variant_id is not null
      union all
      select o.id, ${CLASS_OF_SHIPPING},
        o.shipping_minor + case when o.prices_include_tax then 0 else o.shipping_tax_minor end, o.shipping_tax_minor
      from orders_of_days a join orders o on o.id = a.id where o.shipping_method is not null) as parts
    group by 1, 2),
  rates as (
    select o.id as order_id, coalesce(t."taxClassId"::text, '') as class, coalesce(t."geoZoneId"::text, '') as zone,
      t.name as rate, t."ratePpm" as ppm, t."taxMinor" as tax, t."netMinor" as net
    from orders_of_days a join orders o on o.id = a.id
    cross join jsonb_to_recordset(o.taxes)
      as t ("taxClassId" uuid, "geoZoneId" uuid, name text, "ratePpm" integer, "taxMinor" bigint, "netMinor" bigint)),
  sold as (
    select a.paid_day, a.currency, a.status, a.country, b.order_id, b.class, b.gross, coalesce(r.zone, '') as zone,
      coalesce(r.rate, '') as rate, coalesce(r.ppm, 0) as ppm, coalesce(r.tax, 0) as tax, coalesce(r.net, b.net) as net
    from orders_of_days a join bases b on b.order_id = a.id
    left join rates r on r.order_id = b.order_id and r.class = b.class)`

/**
 * SQL: all refunds of the orders with a refund on the days, and the part of each refund for goods and shipping of each
 * class.
 */
const refunded = (days: string): string => `
  events as (
    select r.order_id, r.id, r.settled_at, ${refundedOf('r')} as amount, r.shipping_amount_minor,
      (select d.day from ${days} d where ${onDay('r.settled_at', 'd')}) as day
    from refunds r
    where ${isPaidBackSql('r')} and r.order_id in (
      select x.order_id from ${rowsOn(days, 'refunds', 'settled_at', 'x')})),
  named as (
    select id, class, sum(amount) as amount
    from (
      select e.id, ${CLASS_OF_LINE} as class, n.amount_minor as amount
      from events e join refund_items n on n.refund_id = e.id join order_items i on i.id = n.order_item_id
      where i.variant_id is not null
      union all
      -- A part of the price of a voucher is no unit of its line.
      select e.id, 'untaxed', w.price_minor
      from events e join voucher_withdrawals w on w.refund_id = e.id and not w.is_undone
      union all
      select e.id, ${CLASS_OF_SHIPPING}, e.shipping_amount_minor from events e join orders o on o.id = e.order_id) as parts
    group by 1, 2)`

/** Tax by the day of payment, and the tax that refunds subtract by the day of their settlement. */
export const TAX_FACTS: Fact = {
  name: 'tax',
  keys: ['country', 'zone', 'class', 'rate', 'ppm'],
  sums: ['net_sales', 'tax_on_sales', 'net_refunds', 'tax_on_refunds'],
  sql: (days) => `
    with ${ordersOfDays(days)}, ${SOLD}, ${refunded(days)}, ${TAX_BACK}
    select paid_day as day, currency, status, country, zone, class, rate, ppm, net as net_sales, tax as tax_on_sales,
      0 as net_refunds, 0 as tax_on_refunds
    from sold where paid_day is not null
    union all
    select day, currency, status, country, zone, class, rate, ppm, 0, 0, net, tax from back where day is not null`,
}
