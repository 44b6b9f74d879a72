import { AFFILIATE_STATUSES } from '#shared/affiliates/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { END, START } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'
import { VISITS_DESCRIPTION } from '#shared/visits/count-visits.ts'
import { VISITS_WITHIN } from './marketing.ts'

const sum = (condition: string): string => `coalesce(sum(e.amount_minor) filter (where ${condition}), 0)`
// Commissions are not payable while the payment of their order is disputed.
const NOT_DISPUTED = `e.order_id not in (
  select order_id from disputes where opened_at < ${END} and (closed_at is null or closed_at >= ${END}))`
// The statement reads entries up to the end of the range; these are the ones in it.
const IN_RANGE = `e.created_at >= ${START}`

const sql = (_keys: KeySql): string => `
  with entries as (
    select e.affiliate_id as id,
      count(*) filter (where ${IN_RANGE} and e.kind = 'earned') as orders,
      ${sum(`${IN_RANGE} and e.kind = 'earned'`)} as earned,
      -${sum(`${IN_RANGE} and e.kind in ('reversed', 'restored')`)} as reversed,
      -${sum(`${IN_RANGE} and e.kind = 'paid'`)} as paid,
      ${sum(`e.payable_at is null or (e.payable_at < ${END} and ${NOT_DISPUTED})`)} as payable,
      ${sum('true')} as balance
    from commission_entries e where e.currency = :currency and e.created_at < ${END} group by 1),
  visited as (select source_id as id, sum(visits) as visits from (${VISITS_WITHIN}) as v group by 1)
  select a.id as affiliate_id, a.code, a.status, coalesce(v.visits, 0) as visits, coalesce(e.orders, 0) as orders,
    coalesce(e.earned, 0) as earned, coalesce(e.reversed, 0) as reversed, coalesce(e.paid, 0) as paid,
    coalesce(e.payable, 0) as payable, coalesce(e.balance, 0) as balance
  from affiliates a left join entries e on e.id = a.id left join visited v on v.id = a.id
  where (e.id is not null or v.id is not null) and ((:status)::text is null or a.status = (:status)::text)`

export const AFFILIATES_REPORT: Report = {
  name: 'affiliates',
  summary: 'Visits, commissions and payouts by affiliate',
  description:
    'The sums of the ledgers of affiliates. `payable` and `balance` are those at the end of the range: what could be ' +
    'paid out then, and that with the commissions that are not payable yet. A refund that failed later takes its ' +
    'reversal back. Deleted affiliates are in it.',
  statuses: AFFILIATE_STATUSES,
  layouts: {
    affiliate: {
      columns: [
        text('affiliate_id', ''),
        text('code', ''),
        text('status', 'Of now'),
        count('visits', `Visits by the links. ${VISITS_DESCRIPTION}`),
        count('orders', 'Orders with a commission'),
        money('earned', 'Commissions'),
        money('reversed', 'Taken back because of refunds'),
        money('paid', 'Payouts'),
        money(
          'payable',
          'At the end of the range; below 0 after a refund or dispute of orders whose commission was paid out',
        ),
        money('balance', 'At the end of the range'),
      ],
      order: 'earned desc, visits desc, affiliate_id',
      sql,
    },
  },
}
