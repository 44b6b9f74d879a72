import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from './column.ts'
import type { Keys, Report } from './report.ts'
import { paidWithin } from './sql.ts'

const sql = ({ key }: Keys): string => `
  select ${key('c.code')} as code, count(*) as uses, sum(u.discount_minor) as discount,
    sum(o.amount_captured_minor) as captured, sum(o.amount_refunded_minor) as refunds,
    sum(o.amount_captured_minor - o.amount_refunded_minor) as revenue
  from orders o
  join coupon_uses u on u.store_id = o.store_id and u.order_id = o.id and u.given_back_at is null
  join coupons c on c.store_id = u.store_id and c.id = u.coupon_id
  where ${paidWithin('o')} group by 1`

export const COUPONS: Report = {
  name: 'coupons',
  summary: 'Uses of coupons and the revenue of their orders',
  description:
    'The orders that were paid in the range and used a coupon. Refunds are those of these orders until now. A coupon that ' +
    'only makes shipping free has no discount.',
  statuses: ORDER_STATUSES,
  layouts: {
    coupon: {
      columns: [
        text('code', 'The code that the coupon has now'),
        count('uses', 'Paid orders'),
        money('discount', 'Their discounts'),
        money('captured', 'What was captured of them'),
        money('refunds', 'What was paid back of them'),
        money('revenue', 'captured - refunds'),
      ],
      order: 'revenue desc, code',
      sql,
    },
  },
}
