import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from './column.ts'
import type { Keys, Report } from './report.ts'
import { paidWithin, refundedOf, refundsWithin } from './sql.ts'

const FIRST_ORDERS = `
  select distinct on (customer_id) customer_id, id from orders
  where customer_id is not null and paid_at is not null order by customer_id, paid_at, id`

const byPeriod = ({ period, periods }: Keys): string => `
  with first_orders as (${FIRST_ORDERS}),
  bought as (
    select ${period('o.paid_at')} as key, count(*) as orders, sum(o.amount_captured_minor) as captured,
      count(*) filter (where o.customer_id is null) as guest_orders,
      count(distinct o.customer_id) filter (where o.id = f.id) as new_customers,
      count(distinct o.customer_id) filter (where o.id <> f.id) as returning_customers
    from orders o left join first_orders f on f.customer_id = o.customer_id
    where ${paidWithin('o')} group by 1),
  refunded as (
    select ${period('r.settled_at')} as key, sum(${refundedOf('r')}) as refunds from ${refundsWithin()} group by 1)
  select p.key as period, coalesce(b.new_customers, 0) as new_customers,
    coalesce(b.returning_customers, 0) as returning_customers, coalesce(b.orders, 0) as orders,
    coalesce(b.guest_orders, 0) as guest_orders, coalesce(b.captured, 0) - coalesce(r.refunds, 0) as spent
  from (${periods}) as p left join bought b on b.key = p.key left join refunded r on r.key = p.key`

const CUSTOMER = `coalesce(o.customer_id::text, '')`

const byCustomer = ({ key }: Keys): string => `
  with booked as (
    select ${key(CUSTOMER)} as key, count(*) as orders, sum(o.amount_captured_minor) as spent
    from orders o where ${paidWithin('o')} group by 1
    union all
    select ${key(CUSTOMER)}, 0, -sum(${refundedOf('r')}) from ${refundsWithin()} group by 1),
  summed as (select key, sum(orders) as orders, sum(spent) as spent from booked group by key)
  select s.key as customer_id, coalesce(c.firstname || ' ' || c.lastname, '') as name, s.orders, s.spent
  from summed s left join customers c on c.id::text = s.key`

export const CUSTOMERS: Report = {
  name: 'customers',
  summary: 'New and returning customers, and who bought most',
  description:
    'A customer is new in the period of their first paid order of all time, in any currency, and returns in every period ' +
    'with a later one. The total of `returning_customers` counts each customer once. With `by=customer` the rows are ' +
    'customers, those who spent most first; guests are one row without an id.',
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
    },
    customer: {
      columns: [
        text('customer_id', 'Empty for guests'),
        text('name', 'First and last name'),
        count('orders', 'Paid orders'),
        money('spent', 'Captured less refunded'),
      ],
      order: 'spent desc, customer_id',
      sql: byCustomer,
    },
  },
}
