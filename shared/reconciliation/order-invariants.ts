import type { Invariant } from './invariant.ts'

/** The amounts of orders and the units of their lines, compared with payments, refunds and vouchers. */
export const ORDER_INVARIANTS: Invariant[] = [
  {
    name: 'order.captured',
    sentence: 'The captured amount is the sum of the captured payments, less surpluses, and of the voucher.',
    sql: `
      with paid as (
        select p.store_id, p.order_id, sum(p.captured_minor - coalesce(s.amount_minor, 0)) as amount
        from payments p left join surpluses s on s.store_id = p.store_id and s.payment_id = p.id
        where p.status = 'captured' group by 1, 2)
      select o.store_id, 'orders ' || o.id as subject,
        (coalesce(p.amount, 0) + coalesce(r.amount_minor, 0))::text as expected,
        o.amount_captured_minor::text as found
      from orders o
      left join paid p on p.store_id = o.store_id and p.order_id = o.id
      left join voucher_redemptions r on r.store_id = o.store_id and r.order_id = o.id and r.status = 'captured'
      where o.amount_captured_minor <> coalesce(p.amount, 0) + coalesce(r.amount_minor, 0)`,
  },
  {
    name: 'order.refunded',
    sentence:
      'The refunded amount is the sum of the succeeded refunds, without surplus and excess. A failed refund counts ' +
      'with the part that stayed on the voucher.',
    sql: `
      with refunded as (
        select store_id, order_id,
          sum(case when status = 'succeeded' then amount_minor - surplus_minor else kept_minor end - excess_minor)
            as amount
        from refunds where status = 'succeeded' or kept_minor > 0 group by 1, 2)
      select o.store_id, 'orders ' || o.id as subject,
        coalesce(r.amount, 0)::text as expected, o.amount_refunded_minor::text as found
      from orders o left join refunded r on r.store_id = o.store_id and r.order_id = o.id
      where o.amount_refunded_minor <> coalesce(r.amount, 0)`,
  },
  {
    name: 'order.refunded_units',
    sentence: 'The refunded units of a line are those of the succeeded refunds.',
    sql: `
      with refunded as (
        select i.store_id, i.order_item_id, sum(i.quantity) as units
        from refund_items i join refunds r on r.store_id = i.store_id and r.id = i.refund_id
        where r.status = 'succeeded' group by 1, 2)
      select i.store_id, 'order_items ' || i.id as subject,
        coalesce(r.units, 0)::text as expected, i.refunded_quantity::text as found
      from order_items i left join refunded r on r.store_id = i.store_id and r.order_item_id = i.id
      where i.refunded_quantity <> coalesce(r.units, 0)`,
  },
  {
    name: 'order.unpaid',
    sentence: 'An order that is pending or failed has no captured money; a canceled one has none left.',
    sql: `
      select store_id, 'orders ' || id as subject, '0 captured while ' || status as expected,
        amount_captured_minor || ' captured, ' || amount_refunded_minor || ' refunded' as found
      from orders
      where (status in ('pending', 'failed') and amount_captured_minor <> 0)
        or (status = 'canceled' and amount_captured_minor <> amount_refunded_minor)`,
  },
  {
    name: 'order.paid_in_full',
    sentence: 'The captured amount of a paid order is its total, less the shortfall of an accepted payment.',
    sql: `
      with short as (
        select p.store_id, p.order_id, sum(p.amount_minor - p.captured_minor) as amount
        from payments p
        where p.status = 'captured' and not exists (
          select 1 from surpluses s where s.store_id = p.store_id and s.payment_id = p.id)
        group by 1, 2)
      select o.store_id, 'orders ' || o.id as subject, (o.total_minor - coalesce(s.amount, 0))::text as expected,
        o.amount_captured_minor::text as found
      from orders o left join short s on s.store_id = o.store_id and s.order_id = o.id
      where o.amount_captured_minor > 0 and o.amount_captured_minor <> o.total_minor - coalesce(s.amount, 0)`,
  },
  {
    name: 'order.paid_at',
    sentence: 'A paid order has the time of its payment: reports count it on that day.',
    sql: `
      select store_id, 'orders ' || id as subject, 'a time of payment' as expected,
        amount_captured_minor || ' captured at no time' as found
      from orders where amount_captured_minor > 0 and paid_at is null`,
  },
  {
    name: 'order.open_payments',
    sentence: 'A paid order has no payment that the buyer may still be making.',
    sql: `
      select p.store_id, 'payments ' || p.id as subject, 'canceled' as expected, p.status as found
      from payments p join orders o on o.store_id = p.store_id and o.id = p.order_id
      where p.status in ('pending', 'requires_action', 'authorized') and o.amount_captured_minor > 0`,
  },
]
