/**
 * SQL: `back`, the tax and net amount that each refund subtracts. It is calculated from `sold`, the refunds (`events`)
 * and their parts of a tax class (`named`).
 *
 * For each refund it calculates how much of each class has been refunded so far. A refund of units or shipping counts
 * for their class; the price of a gift voucher is `untaxed`. Any other amount is divided among the classes in
 * proportion to their unrefunded prices, gift vouchers and roundings included. The tax of a refund is the difference
 * between two such states: however an order is refunded, the differences sum to its tax.
 *
 * An order that was paid in part, or whose total was rounded down, was paid less than the prices of its classes: each
 * of them then counts with the part that was paid.
 */
export const TAX_BACK = `
  buckets as (
    select b.order_id, b.class,
      b.gross * least(1, a.captured / nullif(sum(b.gross) over (partition by b.order_id), 0)) as gross
    from bases b join asked a on a.id = b.order_id
    where b.order_id in (select order_id from events)
    union all
    select a.id, 'untaxed', greatest(0, a.captured - coalesce(b.gross, 0))
    from asked a left join (select order_id, sum(gross) as gross from bases group by 1) as b on b.order_id = a.id
    where a.id in (select order_id from events)),
  cells as (
    select e.order_id, e.id, e.settled_at, e.amount, b.class, b.gross::numeric as gross,
      -- A refund with a fee pays less than the price of its units.
      coalesce(n.amount, 0) * least(1, e.amount::numeric / nullif(t.amount, 0)) as named
    from events e join buckets b on b.order_id = e.order_id
    left join (select id, sum(amount) as amount from named group by 1) as t on t.id = e.id
    left join named n on n.id = e.id and n.class = b.class),
  running as (
    select *, sum(coalesce(named, 0)) over until as named_until, sum(amount) over until as paid_until
    from cells window until as (partition by order_id, class order by settled_at, id)),
  shares as (
    select *, paid_until - sum(least(named_until, gross)) over refund as rest, sum(greatest(0, gross - named_until)) over refund as rest_of
    from running window refund as (partition by order_id, id)),
  reached as (
    select *, case when gross = 0 then 0 else least(1, greatest(0,
        (named_until + case when rest_of > 0 then rest * greatest(0, gross - named_until) / rest_of else 0 end) / gross))
      end as share
    from shares),
  states as (
    select s.currency, s.status, s.country, s.order_id, s.class, s.zone, s.rate, s.ppm, q.id, q.settled_at,
      round(s.tax * q.share) as tax, round(s.net * q.share) as net
    from reached q join sold s on s.order_id = q.order_id and s.class = q.class),
  back as (
    select currency, status, country, class, zone, rate, ppm, settled_at,
      tax - lag(tax, 1, 0) over earlier as tax, net - lag(net, 1, 0) over earlier as net
    from states window earlier as (partition by order_id, class, zone, rate, ppm order by settled_at, id))`
