/**
 * SQL: `back`, the tax and net amount that the refunds of an order subtract on a day. It is calculated from `sold`, the
 * refunds (`events`; their `day` is null if it is not one of the requested days) and their parts of a tax class
 * (`named`).
 *
 * It calculates how much of each class has been refunded at the end of each day. A refund of units or shipping counts
 * for their class; the price of a gift voucher is `untaxed`. Any other amount is divided among the classes in
 * proportion to their unrefunded prices, gift vouchers and roundings included. The tax of a day is the difference
 * between two such states: however an order is refunded, the differences sum to its tax.
 *
 * An order that was paid in part, or whose total was rounded down, was paid less than the prices of its classes: each
 * of them then counts with the part that was paid.
 *
 * The refunds of a requested day are one step, and so are those between two requested days. An order can have 500
 * refunds, 100 classes and ten rates of each: with a state after each refund, the sums of one such order took 18
 * seconds.
 */
export const TAX_BACK = `
  -- The paid price of each class of an order; the class untaxed has all other paid amounts.
  buckets as (
    select b.order_id, b.class,
      b.gross * least(1, a.captured / nullif(sum(b.gross) over (partition by b.order_id), 0)) as gross
    from bases b join orders_of_days a on a.id = b.order_id
    where b.order_id in (select order_id from events)
    union all
    select a.id, 'untaxed', greatest(0, a.captured - coalesce(b.gross, 0))
    from orders_of_days a left join (select order_id, sum(gross) as gross from bases group by 1) as b on b.order_id = a.id
    where a.id in (select order_id from events)),
  -- The refunds with the number of their step.
  stepped as (
    select *, count(*) filter (where is_first) over (partition by order_id order by settled_at, id) as step
    from (
      select *, day is distinct from lag(day) over (partition by order_id order by settled_at, id) as is_first
      from events) as ordered),
  steps as (
    select order_id, step, max(day) as day, sum(amount) as amount from stepped group by 1, 2),
  named_in_steps as (
    -- A refund with a fee pays less than the price of its units.
    select s.order_id, s.step, n.class, sum(n.amount * least(1, s.amount::numeric / nullif(t.amount, 0))) as amount
    from stepped s join named n on n.id = s.id
    join (select id, sum(amount) as amount from named group by 1) as t on t.id = s.id
    group by 1, 2, 3),
  -- One row for each step and class. The amount of the step is the same in all its rows.
  cells as (
    select s.order_id, s.step, s.day, s.amount, b.class, b.gross::numeric as gross, coalesce(n.amount, 0) as named
    from steps s join buckets b on b.order_id = s.order_id
    left join named_in_steps n on n.order_id = s.order_id and n.step = s.step and n.class = b.class),
  running as (
    select *, sum(named) over until as named_until, sum(amount) over until as paid_until
    from cells window until as (partition by order_id, class order by step)),
  -- The rest of the refunded amounts names no class. It is divided in proportion to the parts of rest_of.
  shares as (
    select *, paid_until - sum(least(named_until, gross)) over at_step as rest, sum(greatest(0, gross - named_until)) over at_step as rest_of
    from running window at_step as (partition by order_id, step)),
  -- The share of each class that is refunded after a step, from 0 to 1.
  reached as (
    select *, case when gross = 0 then 0 else least(1, greatest(0,
        (named_until + case when rest_of > 0 then rest * greatest(0, gross - named_until) / rest_of else 0 end) / gross))
      end as share
    from shares),
  states as (
    select s.currency, s.status, s.country, s.order_id, s.class, s.zone, s.rate, s.ppm, q.step, q.day,
      round(s.tax * q.share) as tax, round(s.net * q.share) as net
    from reached q join sold s on s.order_id = q.order_id and s.class = q.class),
  -- The difference between a state and the one before.
  back as (
    select currency, status, country, class, zone, rate, ppm, day,
      tax - lag(tax, 1, 0) over earlier as tax, net - lag(net, 1, 0) over earlier as net
    from states window earlier as (partition by order_id, class, zone, rate, ppm order by step))`
