import type { Invariant } from './invariant.ts'

/**
 * SQL: whether an order changed at least 15 minutes before the store's last change of any order. A job settles a
 * commission some seconds after its order has changed.
 */
const AT_REST = `o.updated_at < (
  select max(latest.updated_at) - interval '15 minutes' from orders latest where latest.store_id = o.store_id)`

/** Commissions, compared with the ledgers of affiliates and with the orders that earned them. */
export const COMMISSION_INVARIANTS: Invariant[] = [
  {
    name: 'affiliate.ledger',
    sentence: 'The balance of an affiliate is the sum of the ledger.',
    sql: `
      with summed as (
        select store_id, affiliate_id, sum(amount_minor) as balance from commission_entries group by 1, 2)
      select a.store_id, 'affiliates ' || a.id as subject, coalesce(s.balance, 0)::text as expected,
        a.balance_minor::text as found
      from affiliates a left join summed s on s.store_id = a.store_id and s.affiliate_id = a.id
      where a.balance_minor <> coalesce(s.balance, 0)`,
  },
  {
    name: 'affiliate.entry_numbers',
    sentence: 'The entries of a ledger are numbered from 1 without gaps.',
    sql: `
      with numbered as (
        select store_id, affiliate_id, count(*) as entries, min(number) as first, max(number) as last
        from commission_entries group by 1, 2)
      select a.store_id, 'affiliates ' || a.id as subject, a.entry_count || ' entries' as expected,
        coalesce(n.entries || ' entries, ' || n.first || ' to ' || n.last, 'none') as found
      from affiliates a left join numbered n on n.store_id = a.store_id and n.affiliate_id = a.id
      where (a.entry_count, least(a.entry_count, 1), a.entry_count)
        is distinct from (coalesce(n.entries, 0), coalesce(n.first, 0), coalesce(n.last, 0))`,
  },
  {
    name: 'affiliate.balance',
    sentence: 'The balance of each entry is the sum of the ledger up to it.',
    sql: `
      with running as (
        select store_id, id, balance_minor,
          sum(amount_minor) over (partition by store_id, affiliate_id order by number) as balance
        from commission_entries)
      select store_id, 'commission_entries ' || id as subject, balance::text as expected, balance_minor::text as found
      from running where balance_minor <> balance`,
  },
  {
    name: 'commission.booked',
    sentence: 'The entries of an order add up to its commission less its reversals.',
    sql: `
      with booked as (
        select store_id, affiliate_id, order_id, sum(amount_minor) filter (where kind = 'earned') as earned,
          -coalesce(sum(amount_minor) filter (where kind <> 'earned'), 0) as reversed
        from commission_entries where order_id is not null group by 1, 2, 3)
      select coalesce(c.store_id, b.store_id) as store_id,
        'orders ' || coalesce(c.order_id, b.order_id) as subject,
        coalesce(c.amount_minor, 0) || ', reversed ' || coalesce(c.reversed_minor, 0) as expected,
        coalesce(b.earned, 0) || ', reversed ' || coalesce(b.reversed, 0) as found
      from commissions c full join booked b
        on b.store_id = c.store_id and b.order_id = c.order_id and b.affiliate_id = c.affiliate_id
      where (coalesce(c.amount_minor, 0), coalesce(c.reversed_minor, 0))
        <> (coalesce(b.earned, 0), coalesce(b.reversed, 0))`,
  },
  {
    name: 'commission.amount',
    sentence:
      'A commission is the percentage of the goods of its order: net of discounts, without tax, shipping and bought ' +
      'vouchers.',
    sql: `
      with goods as (
        select store_id, order_id, sum(total_minor) as total, sum(total_minor - tax_minor) as net
        from order_items where variant_id is not null group by 1, 2)
      select c.store_id, 'commissions ' || c.id as subject,
        coalesce(g.net, 0) || ' of ' || coalesce(g.total, 0) || ': '
          || case when c.refusal is null then round(coalesce(g.net, 0) * c.percent / 10000.0) else 0 end as expected,
        c.net_minor || ' of ' || c.goods_minor || ': ' || c.amount_minor as found
      from commissions c left join goods g on g.store_id = c.store_id and g.order_id = c.order_id
      where (c.net_minor, c.goods_minor) is distinct from (coalesce(g.net, 0), coalesce(g.total, 0))
        or c.amount_minor <> case when c.refusal is null then round(coalesce(g.net, 0) * c.percent / 10000.0) else 0 end`,
  },
  {
    name: 'commission.reversed',
    sentence:
      'A commission is reversed in proportion to the refunded goods, and wholly when all are refunded.',
    sql: `
      select store_id, 'commissions ' || id as subject,
        round(amount_minor * goods_refunded_minor / goods_minor::numeric)::text as expected, reversed_minor::text as found
      from commissions
      where goods_minor > 0 and reversed_minor <> round(amount_minor * goods_refunded_minor / goods_minor::numeric)`,
  },
  {
    name: 'commission.refunded',
    sentence:
      'The refunded goods of a commission are all when its order is refunded in full, and otherwise never more than ' +
      'was refunded, remained unpaid, or was lost with the voucher that pays the order.',
    sql: `
      select c.store_id, 'commissions ' || c.id as subject,
        'within ' || o.amount_refunded_minor || ' of ' || o.amount_captured_minor || ', lost ' || lost as expected,
        c.goods_refunded_minor || ' of ' || c.goods_minor as found
      from commissions c join orders o on o.store_id = c.store_id and o.id = c.order_id,
        lateral (select greatest(0, o.total_minor - o.amount_captured_minor) + least(o.voucher_minor, coalesce(
          (select sum(w.price_minor - w.amount_minor)
           from voucher_redemptions r join voucher_withdrawals w
             on w.store_id = r.store_id and w.voucher_id = r.voucher_id and not w.is_undone
           where r.store_id = o.store_id and r.order_id = o.id), 0)) as lost) losses
      where ${AT_REST} and c.amount_minor > 0 and case
        when o.amount_captured_minor > 0 and o.amount_refunded_minor = o.amount_captured_minor
          then c.goods_refunded_minor <> c.goods_minor
        else c.goods_refunded_minor > o.amount_refunded_minor + lost end`,
  },
  {
    name: 'commission.order',
    sentence:
      'A commission is of an order that was completed and paid, and of the affiliate that the order names.',
    sql: `
      select c.store_id, 'commissions ' || c.id as subject, coalesce(o.affiliate_id::text, 'none') as expected,
        c.affiliate_id || ', the order ' || o.status || ', captured ' || o.amount_captured_minor as found
      from commissions c join orders o on o.store_id = c.store_id and o.id = c.order_id
      where o.affiliate_id is distinct from c.affiliate_id or o.status not in ('complete', 'refunded')
        or (o.total_minor > 0 and o.amount_captured_minor = 0)`,
  },
  {
    name: 'commission.missing',
    sentence: 'A complete and paid order of an affiliate has a commission.',
    sql: `
      select o.store_id, 'orders ' || o.id as subject, 'a commission' as expected, 'none' as found
      from orders o
      where o.affiliate_id is not null and o.status = 'complete' and ${AT_REST}
        and (o.amount_captured_minor > 0 or o.total_minor = 0) and not exists (
        select from commissions c where c.store_id = o.store_id and c.order_id = o.id)`,
  },
]
