import type { Invariant } from './invariant.ts'

/** The figures of customers, compared with their orders. */
export const CUSTOMER_INVARIANTS: Invariant[] = [
  {
    name: 'customer.figures',
    sentence:
      'The number, the total and the time of the orders of a customer are those of the orders that were paid, or are ' +
      'processing or further, net of refunds.',
    sql: `
      with bought as (
        select store_id, customer_id, count(*) as orders, max(created_at) as last_at,
          sum(case when amount_captured_minor > 0 then amount_captured_minor else total_minor end
            - amount_refunded_minor) as spent
        from orders
        where customer_id is not null
          and (paid_at is not null or status in ('processing', 'shipped', 'complete'))
        group by 1, 2)
      select c.store_id, 'customers ' || c.id as subject,
        coalesce(b.orders, 0) || ' orders of ' || coalesce(b.spent, 0) || ', the last ' || coalesce(b.last_at::text, 'never') as expected,
        c.orders_count || ' orders of ' || c.total_spent_minor || ', the last ' || coalesce(c.last_order_at::text, 'never') as found
      from customers c left join bought b on b.store_id = c.store_id and b.customer_id = c.id
      where (c.orders_count, c.total_spent_minor, c.last_order_at)
        is distinct from (coalesce(b.orders, 0), coalesce(b.spent, 0), b.last_at)`,
  },
  {
    name: 'customer.counts',
    sentence: 'The counted customers of a group are its customers.',
    sql: `
      with counted as (
        select store_id, customer_group_id, sum(customers) as customers from customer_counts group by 1, 2),
      present as (
        select store_id, customer_group_id, count(*) as customers from customers group by 1, 2)
      select g.store_id, 'customer_groups ' || g.id as subject,
        coalesce(p.customers, 0)::text as expected, coalesce(c.customers, 0)::text as found
      from customer_groups g
      left join counted c on c.store_id = g.store_id and c.customer_group_id = g.id
      left join present p on p.store_id = g.store_id and p.customer_group_id = g.id
      where coalesce(p.customers, 0) <> coalesce(c.customers, 0)`,
  },
]
