import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, percent, text } from '#shared/reports/column.ts'
import { CAMPAIGN_FACTS } from '#shared/reports/facts/campaign-facts.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'
import { VISITS_DESCRIPTION } from '#shared/visits/count-visits.ts'

/** SQL: the visits of links in the range of the report. */
export const VISITS_WITHIN = `
  select source_id, sum(visits) as visits from campaign_visit_days
  where day between (:dateFrom)::date and (:dateTo)::date group by 1`

const sql = (_keys: KeySql): string => `
  with ${SPANS},
  booked as (
    select source_id::text as id, visits, 0 as orders, 0 as captured, 0 as refunds from (${VISITS_WITHIN}) as visited
    union all
    select campaign_id, 0, orders, captured, refunds from (${factsInRangeSql(CAMPAIGN_FACTS)}) as f where ${matchesFilterSql('f')}),
  summed as (
    select id, sum(visits) as visits, sum(orders) as orders, sum(captured) as captured, sum(refunds) as refunds
    from booked group by id)
  select c.id as campaign_id, c.code, c.name, s.visits, s.orders, s.captured, s.refunds, s.captured - s.refunds as revenue,
    case when s.visits > 0 then round(s.orders * 1000000.0 / s.visits) end as conversion
  from summed s join campaigns c on c.id::text = s.id`

export const MARKETING_REPORT: Report = {
  name: 'marketing',
  summary: 'Visits, orders and revenue by campaign',
  description:
    'Orders are those that a campaign won at checkout; they count when they are paid, ' +
    'and refunds when they are settled. Deleted campaigns are in it.',
  statuses: ORDER_STATUSES,
  layouts: {
    campaign: {
      columns: [
        text('campaign_id', ''),
        text('code', ''),
        text('name', ''),
        count('visits', `Visits by its links. ${VISITS_DESCRIPTION}`),
        count('orders', 'Paid orders'),
        money('captured', 'The captured amount of orders'),
        money('refunds', 'The refunded amount of orders'),
        money('revenue', 'captured - refunds'),
        percent('conversion', 'Orders by visits; null without visits'),
      ],
      order: 'revenue desc, visits desc, campaign_id',
      sql,
      usesStoredSums: true,
    },
  },
}
