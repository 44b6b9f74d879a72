import { type Fact, rowsOn } from './fact.ts'

const LINE_KEYS =
  'o.currency, o.status, i.product_id, i.variant_id, case when i.product_id is null then i.name ' +
  'end as line_name'

/**
 * Sold units by the day of payment, refunded units by the day of settlement, and returned units by the day of return.
 */
export const PRODUCT_FACTS: Fact = {
  name: 'products',
  keys: ['product_id', 'variant_id', 'line_name'],
  sums: ['units', 'gross', 'discounts', 'revenue', 'tax', 'refunded_units', 'refunds', 'returned_units'],
  sql: (days) => `
    select d.day, ${LINE_KEYS}, i.quantity as units, i.line_total_minor as gross, i.discount_minor as discounts,
      i.total_minor - i.tax_minor as revenue, i.tax_minor as tax, 0 as refunded_units, 0 as refunds, 0 as returned_units
    from ${rowsOn(days, 'orders', 'paid_at', 'o')} join order_items i on i.order_id = o.id
    union all
    select d.day, ${LINE_KEYS}, 0, 0, 0, 0, 0, n.quantity, n.amount_minor, 0
    from ${rowsOn(days, 'refunds', 'settled_at', 'r')}
    join refund_items n on n.refund_id = r.id and r.status = 'succeeded'
    join order_items i on i.id = n.order_item_id join orders o on o.id = i.order_id
    union all
    select d.day, ${LINE_KEYS}, 0, 0, 0, 0, 0, 0, 0, n.quantity
    from ${rowsOn(days, 'returns', 'received_at', 'r')}
    join return_items n on n.return_id = r.id and n.disposition is distinct from 'missing'
    join order_items i on i.id = n.order_item_id join orders o on o.id = i.order_id`,
}
