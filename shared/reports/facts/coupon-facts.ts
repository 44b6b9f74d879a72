import { type Fact, rowsOn } from './fact.ts'

/** The orders with a coupon by the day of their payment, with the amounts that were refunded until now. */
export const COUPON_FACTS: Fact = {
  name: 'coupons',
  keys: ['coupon_id'],
  sums: ['uses', 'discount', 'captured', 'refunds'],
  sql: (days) => `
    select d.day, o.currency, o.status, u.coupon_id, 1 as uses, u.discount_minor as discount,
      o.amount_captured_minor as captured, o.amount_refunded_minor as refunds
    from ${rowsOn(days, 'orders', 'paid_at', 'o')}
    cross join lateral (
      select * from coupon_uses where order_id = o.id and released_at is null offset 0) as u`,
}
