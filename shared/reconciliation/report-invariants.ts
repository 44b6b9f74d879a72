import { isPaidBackSql } from '#shared/refunds/refund.ts'
import { SALES_FACTS } from '#shared/reports/facts/sales-facts.ts'
import { refundedOf } from '#shared/reports/facts/sql.ts'
import type { Invariant } from './invariant.ts'

/** SQL: a sum of a stored row of the sales report. */
const stored = (name: string): string => `f.sums[${SALES_FACTS.sums.indexOf(name) + 1}]`

const amounts = (captured: string, refunds: string): string =>
  `coalesce(${captured}, 0) || ' captured, ' || coalesce(${refunds}, 0) || ' refunded'`

/** The sums that reports add up, compared with orders and refunds. */
export const REPORT_INVARIANTS: Invariant[] = [
  {
    name: 'report.sales',
    sentence:
      'The stored sales of a past day are what its orders have captured and its refunds have paid back, unless the ' +
      'day is to be summed again.',
    sql: `
      with summed as (
        select f.store_id, f.day, f.currency, sum(${stored('captured')}) as captured, sum(${stored('refunds')}) as refunds
        from report_facts f where f.fact = '${SALES_FACTS.name}' and f.span = 'day' group by 1, 2, 3),
      moved as (
        select o.store_id, o.paid_at as at, o.currency, o.amount_captured_minor as captured, 0 as refunds
        from orders o where o.paid_at is not null
        union all
        select r.store_id, r.settled_at, o.currency, 0, ${refundedOf('r')}
        from refunds r join orders o on o.store_id = r.store_id and o.id = r.order_id where ${isPaidBackSql('r')}),
      booked as (
        select m.store_id, (m.at at time zone s.time_zone)::date as day, m.currency, sum(m.captured) as captured,
          sum(m.refunds) as refunds
        from moved m join stores s on s.id = m.store_id group by 1, 2, 3)
      select d.store_id, 'stores ' || d.store_id || ' on ' || d.day || ' in ' || compared.currency as subject,
        ${amounts('compared.captured', 'compared.refunds')} as expected,
        ${amounts('compared.summed_captured', 'compared.summed_refunds')} as found
      from (
        select store_id, day, currency, b.captured, b.refunds, s.captured as summed_captured,
          s.refunds as summed_refunds
        from booked b full join summed s using (store_id, day, currency)) as compared
      join report_days d on d.store_id = compared.store_id and d.day = compared.day
      join stores s on s.id = d.store_id and s.time_zone = d.time_zone
      where (coalesce(compared.captured, 0), coalesce(compared.refunds, 0))
          <> (coalesce(compared.summed_captured, 0), coalesce(compared.summed_refunds, 0))
        and not exists (
          select from report_changes changed
          where changed.store_id = d.store_id and (changed.at at time zone d.time_zone)::date = d.day)`,
  },
]
