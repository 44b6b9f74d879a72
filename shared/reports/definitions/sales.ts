import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { SALES_FACTS } from '#shared/reports/facts/sales-facts.ts'
import { inStoreLanguage, matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Layout, Report } from '#shared/reports/report.ts'

const FIGURES = [
  count('orders', 'Paid orders'),
  count('units', 'Units of goods in them'),
  money('gross', 'Goods and gift vouchers at their prices, before discounts'),
  money('discounts', 'Discounts of coupons'),
  money('net', 'Goods and gift vouchers after discounts, without tax'),
  money('shipping', 'Shipping, without tax'),
  money('tax', 'Tax on goods and shipping'),
  money('adjustments', 'Captured beyond these: the rounding of cards, and accepted payments that were short'),
  money('refunds', 'Paid back, with tax, at the time of the refund. Lost disputes are refunds'),
  money('total', 'Captured less refunded: net + shipping + tax + adjustments - refunds'),
  money('paid_by_voucher', 'The part of the total that gift vouchers paid, less what refunds put on them'),
  money('excess', 'Paid back beyond the rest of an order, e.g. because a dispute was lost after a refund'),
  money('received', 'The money: total - paid_by_voucher - excess'),
]

/** SQL: the figures by a key, an expression over the facts of sales. */
const figures = (key: string): string => `
  select ${key} as key, sum(orders) as orders, sum(units) as units, sum(gross) as gross, sum(discounts) as discounts,
    sum(net) as net, sum(shipping) as shipping, sum(tax) as tax,
    sum(captured) - sum(net) - sum(shipping) - sum(tax) as adjustments, sum(refunds) as refunds,
    sum(captured) - sum(refunds) as total, sum(by_voucher) as paid_by_voucher, sum(excess) as excess,
    sum(captured) - sum(refunds) - sum(by_voucher) - sum(excess) as received
  from (${factsInRangeSql(SALES_FACTS)}) as s where ${matchesFilterSql('s')} group by 1`

/** SQL: the figures as columns; 0 for a row without sales. */
const figureColumns = FIGURES.map(({ name }) => `coalesce(f.${name}, 0) as ${name}`).join(', ')

const byPeriod = ({ ofDay, periods }: KeySql): string => `
  with ${SPANS}
  select p.key as period, ${figureColumns} from (${periods}) as p
  left join (${figures(ofDay('s.day'))}) as f on f.key = p.key`

const layoutBy = (name: string, description: string): Layout => ({
  columns: [text(name, description), ...FIGURES],
  order: `total desc, ${name}`,
  usesStoredSums: true,
  sql: ({ key }) =>
    `with ${SPANS} select f.key as ${name}, ${figureColumns} from (${figures(key(`s.${name}`))}) as f`,
})

const byCustomerGroup = ({ key }: KeySql): string => `
  with ${SPANS}
  select f.key as customer_group_id, ${inStoreLanguage('g.name_i18n')} as customer_group, ${figureColumns}
  from (${figures(key('s.customer_group_id'))}) as f left join customer_groups g on g.id::text = f.key`

export const SALES_REPORT: Report = {
  name: 'sales',
  summary: 'Sales by period, country, payment method or customer group',
  description:
    'An order counts on the day on which it was paid, a refund on the day on which it was settled: `total` is the ' +
    'captured amount less the refunded amount. Free orders are not sales. `by=customer_group` uses the group that a ' +
    'customer has now; guests have none.',
  statuses: ORDER_STATUSES,
  layouts: {
    period: {
      columns: [text('period', 'The first day of the period'), ...FIGURES],
      order: 'period',
      sql: byPeriod,
      usesStoredSums: true,
    },
    country: layoutBy('country', 'Of the shipping address'),
    payment_method: layoutBy('payment_method', 'Code'),
    customer_group: {
      columns: [
        text('customer_group_id', 'Empty for guests'),
        text('customer_group', "Its name in the store's language"),
        ...FIGURES,
      ],
      order: 'total desc, customer_group_id',
      sql: byCustomerGroup,
      usesStoredSums: true,
    },
  },
}
