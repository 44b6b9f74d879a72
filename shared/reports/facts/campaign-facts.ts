import { isPaidBackSql } from '#shared/refunds/refund.ts'
import { type Fact, rowsOn } from './fact.ts'
import { refundedOf } from './sql.ts'

/** The orders of campaigns by the day of their payment, and refunds by the day of their settlement. */
export const CAMPAIGN_FACTS: Fact = {
  name: 'campaigns',
  keys: ['campaign_id'],
  sums: ['orders', 'captured', 'refunds'],
  sql: (days) => `
    select d.day, o.currency, o.status, o.campaign_id, 1 as orders, o.amount_captured_minor as captured, 0 as refunds
    from ${rowsOn(days, 'orders', 'paid_at', 'o')} where o.campaign_id is not null
    union all
    select d.day, o.currency, o.status, o.campaign_id, 0, 0, ${refundedOf('r')}
    from ${rowsOn(days, 'refunds', 'settled_at', 'r')}
    join orders o on o.id = r.order_id and o.campaign_id is not null and ${isPaidBackSql('r')}`,
}
