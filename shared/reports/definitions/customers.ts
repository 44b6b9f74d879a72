import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { CUSTOMER_REFUND_FACTS, RETURNING_FACTS } from '#shared/reports/facts/customer-facts.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { SALES_FACTS } from '#shared/reports/facts/sales-facts.ts'
import { isPaidInRangeSql, matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

const byPeriod = ({ ofDay, periods }: KeySql): string => `
  with ${SPANS},
  bought as (
    select ${ofDay('s.day')} as key, sum(new_customers) as new_customers, sum(orders) as orders,
      sum(guest_orders) as guest_orders, sum(captured) - sum(refunds) as spent
    from (${factsInRangeSql(SALES_FACTS)}) as s where ${matchesFilterSql('s')} group by 1),
  returned as (
    select key, sum(customers) as returning_customers
    from (
      select ${ofDay('f.day')} as key, block, bit_count(bit_or(members)) as customers
      from (${factsInRangeSql(RETURNING_FACTS)}) as f where ${matchesFilterSql('f')} group by 1, 2) as blocks
    group by 1)
  select p.key as period, coalesce(b.new_customers, 0) as new_customers,
    coalesce(r.returning_customers, 0) as returning_customers, coalesce(b.orders, 0) as orders,
    coalesce(b.guest_orders, 0) as guest_orders, coalesce(b.spent, 0) as spent
  from (${periods}) as p left join bought b on b.key = p.key left join returned r on r.key = p.key`

// This reads the orders of customers by an index. Customers buy only a few times a year, so stored sums by day would
// have as many rows.
const byCustomer = (_keys: KeySql): string => `
  with ${SPANS},
  bought as (
    select coalesce(id::text, '') as id, orders, captured
    from (
      select o.customer_id as id, count(*) as orders, sum(o.amount_captured_minor) as captured
      from orders o where ${isPaidInRangeSql('o')} group by 1) as by_customer),
  refunded as (
    select customer_id as id, sum(refunds) as refunds
    from (${factsInRangeSql(CUSTOMER_REFUND_FACTS)}) as f where ${matchesFilterSql('f')} group by 1)
  select id as customer_id, coalesce(b.orders, 0) as orders, coalesce(b.captured, 0) - coalesce(r.refunds, 0) as spent
  from bought b full join refunded r using (id)`

export const CUSTOMERS_REPORT: Report = {
  name: 'customers',
  summary: 'New and returning customers, and who bought most',
  description:
    'A customer is new in the period of their first paid order of all time, in any currency, and returns in every ' +
    'period with a later one. The total of `returning_customers` counts each customer once. With `by=customer` the ' +
    'rows are customers, those who spent most first; guests are one row without an id.',
  statuses: ORDER_STATUSES,
  layouts: {
    period: {
      columns: [
        text('period', 'The first day of the period'),
        count('new_customers', 'Customers with their first paid order'),
        count('returning_customers', 'Customers with a later one', 'recount'),
        count('orders', 'Paid orders'),
        count('guest_orders', 'Of these, of guests'),
        money('spent', 'Captured less refunded'),
      ],
      order: 'period',
      sql: byPeriod,
      usesStoredSums: true,
    },
    customer: {
      columns: [
        text('customer_id', 'Empty for guests'),
        text('name', 'First and last name; empty without the right `customers:read`'),
        count('orders', 'Paid orders'),
        money('spent', 'Captured less refunded'),
      ],
      order: 'spent desc, customer_id',
      sql: byCustomer,
      usesStoredSums: true,
      withNames: (rows) => `
        select r.*, coalesce((
          select c.firstname || ' ' || c.lastname from customers c where c.id = nullif(r.customer_id, '')::uuid), '') as name
        from ${rows} as r`,
    },
  },
}

const { customer } = CUSTOMERS_REPORT.layouts

/** The report for staff who may not read customers. It has no names. */
export const CUSTOMERS_WITHOUT_NAMES: Report = {
  ...CUSTOMERS_REPORT,
  layouts: {
    ...CUSTOMERS_REPORT.layouts,
    ...(customer && {
      customer: { ...customer, withNames: (rows) => `select r.*, '' as name from ${rows} as r` },
    }),
  },
}
