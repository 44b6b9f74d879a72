import { isPaidBackSql } from '#shared/refunds/refund.ts'
import { isFirstOfCustomer } from './customer-facts.ts'
import { type Fact, rowsOn } from './fact.ts'
import { netGoods, netShipping, refundedOf, refundedToVoucher } from './sql.ts'

const ORDER_KEYS = `o.currency, o.status, o.shipping_address ->> 'country' as country, o.payment_method,
  (select c.customer_group_id from customers c where c.id = o.customer_id) as customer_group_id,
  o.shipping_method ->> 'code' as shipping_code, o.shipping_method ->> 'name' as shipping_name`

/** Orders by the day of their payment, and refunds by the day of their settlement. */
export const SALES_FACTS: Fact = {
  name: 'sales',
  keys: ['country', 'payment_method', 'customer_group_id', 'shipping_code', 'shipping_name'],
  sums: [
    'orders',
    'units',
    'gross',
    'discounts',
    'net',
    'shipping',
    'tax',
    'captured',
    'refunds',
    'by_voucher',
    'free_orders',
    'shipping_tax',
    'shipping_refunds',
    'guest_orders',
    'new_customers',
    'excess',
  ],
  sql: (days) => `
    select d.day, ${ORDER_KEYS}, 1 as orders,
      coalesce((select sum(i.quantity) from order_items i where i.order_id = o.id and i.variant_id is not null), 0) as units,
      o.subtotal_minor as gross, o.discount_minor as discounts, ${netGoods('o')} as net, ${netShipping('o')} as shipping,
      o.tax_minor as tax, o.amount_captured_minor as captured, 0 as refunds,
      case when o.amount_captured_minor > 0 then o.voucher_minor else 0 end as by_voucher,
      case when o.shipping_minor = 0 then 1 else 0 end as free_orders, o.shipping_tax_minor as shipping_tax,
      0 as shipping_refunds, case when o.customer_id is null then 1 else 0 end as guest_orders,
      case when ${isFirstOfCustomer('o')} then 1 else 0 end as new_customers, 0 as excess
    from ${rowsOn(days, 'orders', 'paid_at', 'o')}
    union all
    select d.day, ${ORDER_KEYS}, 0, 0, 0, 0, 0, 0, 0, 0, ${refundedOf('r')}, -${refundedToVoucher('r')}, 0, 0,
      case when r.status = 'succeeded' then r.shipping_amount_minor else 0 end, 0, 0,
      case when r.currency = o.currency then r.excess_minor else 0 end
    from ${rowsOn(days, 'refunds', 'settled_at', 'r')}
    join orders o on o.id = r.order_id and ${isPaidBackSql('r')}`,
}
