import { OPEN_RESERVATION_STATUSES } from '#shared/inventory/states.ts'
import { toSqlList } from '#shared/platform/states.ts'
import type { Invariant } from './invariant.ts'

/** Stock levels and coupon counts, compared with movements, and with what orders reserve and use. */
export const STOCK_INVARIANTS: Invariant[] = [
  {
    name: 'stock.reserved',
    sentence: 'The held and the allocated units of a variant are those of its reservations.',
    sql: `
      with reserved as (
        select store_id, variant_id, sum(quantity) filter (where status = 'held') as held,
          sum(quantity) filter (where status = 'allocated') as allocated
        from stock_reservations where status in ${toSqlList(OPEN_RESERVATION_STATUSES)} group by 1, 2)
      select v.store_id, 'product_variants ' || v.id as subject,
        coalesce(r.held, 0) || ' held, ' || coalesce(r.allocated, 0) || ' allocated' as expected,
        v.stock_held || ' held, ' || v.stock_allocated || ' allocated' as found
      from product_variants v left join reserved r on r.store_id = v.store_id and r.variant_id = v.id
      where (v.stock_held, v.stock_allocated) is distinct from (coalesce(r.held, 0), coalesce(r.allocated, 0))`,
  },
  {
    name: 'stock.on_hand',
    sentence: 'The units on hand of a variant are the sum of its movements.',
    sql: `
      with moved as (select store_id, variant_id, sum(delta) as units from stock_movements group by 1, 2)
      select v.store_id, 'product_variants ' || v.id as subject, coalesce(m.units, 0)::text as expected,
        v.stock_on_hand::text as found
      from product_variants v left join moved m on m.store_id = v.store_id and m.variant_id = v.id
      where v.stock_on_hand <> coalesce(m.units, 0)`,
  },
  {
    name: 'stock.reservation_status',
    sentence:
      'The status of an order allows the status of its reservations: no order that ended holds or allocates units.',
    sql: `
      select r.store_id, 'stock_reservations ' || r.order_id || ' ' || r.variant_id as subject,
        allowed.statuses as expected, r.status as found
      from stock_reservations r
      join orders o on o.store_id = r.store_id and o.id = r.order_id
      join (values ('pending', 'held or released'), ('failed', 'held or released'),
        ('processing', 'allocated or shipped or released'), ('shipped', 'shipped or released'),
        ('complete', 'shipped or released'), ('canceled', 'shipped or released'),
        ('refunded', 'shipped or released')) as allowed (status, statuses) on allowed.status = o.status
      where r.status <> all (string_to_array(allowed.statuses, ' or '))`,
  },
  {
    name: 'stock.shipped',
    sentence:
      'Of an order that is shipped in part, at most the shipped units of its lines have left the stock.',
    sql: `
      with lines as (
        select store_id, order_id, variant_id, sum(shipped_quantity) as shipped
        from order_items where variant_id is not null group by 1, 2, 3)
      select l.store_id, 'stock_reservations ' || l.order_id || ' ' || l.variant_id as subject,
        'at most ' || l.shipped as expected, r.quantity::text as found
      from lines l
      join orders o on o.store_id = l.store_id and o.id = l.order_id
      join stock_reservations r
        on r.store_id = l.store_id and r.order_id = l.order_id and r.variant_id = l.variant_id and r.status = 'shipped'
      where o.status = 'processing' and r.quantity > l.shipped`,
  },
  {
    name: 'coupon.uses_count',
    sentence: 'The count of a coupon is the number of its uses that were not released.',
    sql: `
      with used as (
        select store_id, coupon_id, count(*) as uses from coupon_uses where released_at is null group by 1, 2)
      select c.store_id, 'coupons ' || c.id as subject, coalesce(u.uses, 0)::text as expected,
        c.uses_count::text as found
      from coupons c left join used u on u.store_id = c.store_id and u.coupon_id = c.id
      where c.uses_count <> coalesce(u.uses, 0)`,
  },
  {
    name: 'coupon.use_state',
    sentence: 'A canceled order has given its coupon back; one that is sold or refunded has not.',
    sql: `
      select u.store_id, 'coupon_uses ' || u.id as subject,
        case when o.status = 'canceled' then 'released' else 'used' end as expected,
        case when u.released_at is null then 'used' else 'released' end as found
      from coupon_uses u join orders o on o.store_id = u.store_id and o.id = u.order_id
      where o.status not in ('pending', 'failed') and (o.status = 'canceled') = (u.released_at is null)`,
  },
]
