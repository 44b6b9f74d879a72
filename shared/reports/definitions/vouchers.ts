import { money, text } from '#shared/reports/column.ts'
import { END, START } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'
import { EFFECT_OF_ENTRY, VOUCHER_ENTRY_KINDS } from '#shared/vouchers/states.ts'

const factors = VOUCHER_ENTRY_KINDS.map(
  (kind) => `('${kind}', ${EFFECT_OF_ENTRY[kind].amount - EFFECT_OF_ENTRY[kind].spent})`,
).join(', ')

/**
 * SQL: the entries of the ledgers, each with its effect on the amount that the store owes. A voucher counts with its
 * unspent amount. A bought voucher is issued when its order is paid; before that the store owes nothing.
 */
const LEDGER = `
  select e.voucher_id, e.kind, e.amount_minor as amount, f.factor * e.amount_minor as owed, v.expires_at,
    case when e.kind = 'issue' and v.order_item_id is not null 
      then coalesce((select o.paid_at from orders o where o.id = v.order_id), e.created_at) else e.created_at end as at
  from vouchers v
  join voucher_entries e on e.store_id = v.store_id and e.voucher_id = v.id
  join (values ${factors}) as f (kind, factor) on f.kind = e.kind
  where v.currency = :currency and not v.awaits_payment`

const sumOf = (kind: string): string => `sum(amount) filter (where kind = '${kind}')`

const byPeriod = ({ period, periods }: KeySql): string => `
  with ledger as (${LEDGER}),
  booked as (
    select ${period('at')} as key, ${sumOf('issue')} as issued, ${sumOf('adjust')} as adjusted,
      ${sumOf('capture')} as redeemed, ${sumOf('refund')} as refunded, sum(owed) as owed
    from ledger where at >= ${START} and at < ${END} group by 1),
  expiring as (
    select ${period('expires_at')} as key, sum(owed) filter (where at < expires_at) as expired
    from ledger where expires_at >= ${START} and expires_at < ${END} group by 1),
  opening as (select coalesce(sum(owed), 0) as owed from ledger where at < ${START})
  select p.key as period, coalesce(b.issued, 0) as issued, coalesce(b.adjusted, 0) as adjusted,
    coalesce(b.redeemed, 0) as redeemed, coalesce(b.refunded, 0) as refunded, coalesce(x.expired, 0) as expired,
    (select owed from opening) + sum(coalesce(b.owed, 0)) over (order by p.key) as outstanding
  from (${periods}) as p left join booked b on b.key = p.key left join expiring x on x.key = p.key`

export const VOUCHERS_REPORT: Report = {
  name: 'vouchers',
  summary: 'Gift vouchers: issued, redeemed, refunded, expired, outstanding',
  description:
    'The sums of the ledgers. `outstanding` at the end of a period is the previous value + issued + adjusted - ' +
    'redeemed + refunded. It contains the reservations of open orders and expired vouchers, which can be prolonged: ' +
    '`expired` is the value left on vouchers when they expired. A bought voucher is issued when its order is paid.',
  layouts: {
    period: {
      columns: [
        text('period', 'The first day of the period'),
        money('issued', 'Value of new vouchers'),
        money('adjusted', 'Changed by staff, or withdrawn because the price of the voucher was refunded'),
        money('redeemed', 'Spent on paid orders'),
        money('refunded', 'Put back by refunds of these orders'),
        money('expired', 'Left on vouchers at their expiry'),
        money('outstanding', 'Not spent at the end of the period', 'last'),
      ],
      order: 'period',
      sql: byPeriod,
    },
  },
}
