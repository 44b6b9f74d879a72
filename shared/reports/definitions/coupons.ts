import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { COUPON_FACTS } from '#shared/reports/facts/coupon-facts.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

const sql = ({ key }: KeySql): string => `
  with ${SPANS},
  summed as (
    select ${key('coupon_id')} as key, sum(uses) as uses, sum(discount) as discount, sum(captured) as captured,
      sum(refunds) as refunds
    from (${factsInRangeSql(COUPON_FACTS)}) as f where ${matchesFilterSql('f')} group by 1)
  select c.code, s.uses, s.discount, s.captured, s.refunds, s.captured - s.refunds as revenue
  from summed s join coupons c on c.id::text = s.key`

export const COUPONS_REPORT: Report = {
  name: 'coupons',
  summary: 'Uses of coupons and the revenue of their orders',
  description:
    'The orders that were paid in the range and used a coupon. Refunds are those of these orders until now. A coupon ' +
    'that only makes shipping free has no discount.',
  statuses: ORDER_STATUSES,
  layouts: {
    coupon: {
      columns: [
        text('code', 'The code that the coupon has now'),
        count('uses', 'Paid orders'),
        money('discount', 'Their discounts'),
        money('captured', 'The captured amount of these orders'),
        money('refunds', 'The refunded amount of these orders'),
        money('revenue', 'captured - refunds'),
      ],
      order: 'revenue desc, code',
      sql,
      usesStoredSums: true,
    },
  },
}
