import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { money, percent, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { matchesFilterSql } from '#shared/reports/facts/sql.ts'
import { TAX_FACTS } from '#shared/reports/facts/tax-facts.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

const sql = (_keys: KeySql): string => `
  with ${SPANS},
  summed as (
    select country, zone, class, rate, ppm::bigint as ppm, sum(net_sales) as net_sales, sum(tax_on_sales) as tax_on_sales,
      sum(net_refunds) as net_refunds, sum(tax_on_refunds) as tax_on_refunds
    from (${factsInRangeSql(TAX_FACTS)}) as f where ${matchesFilterSql('f')} group by 1, 2, 3, 4, 5)
  select s.country, coalesce(z.name, '') as zone, coalesce(c.name, '') as tax_class, s.rate, s.ppm as percent,
    net_sales, tax_on_sales, net_refunds, tax_on_refunds, net_sales - net_refunds as net, tax_on_sales - tax_on_refunds as tax
  from summed s left join tax_classes c on c.id::text = s.class left join geo_zones z on z.id::text = s.zone`

export const TAX_REPORT: Report = {
  name: 'tax',
  summary: 'Tax by country, zone, class and rate, less refunds',
  description:
    'Sales count on the day of their payment and refunds on the day on which they are settled: `net` and `tax` are ' +
    'the figures of a tax return by received payments. A refund of units or shipping takes off their tax; a refund ' +
    'of an amount is for all that is left of the order in proportion. Once an order is refunded wholly, its tax is 0 ' +
    'to the minor unit. Rows without a rate are untaxed sales. Where two rates apply to the same goods, the `net` of ' +
    'both contains them. Gift vouchers are not taxed when they are sold.',
  statuses: ORDER_STATUSES,
  layouts: {
    rate: {
      columns: [
        text('country', 'To which the order was shipped'),
        text('zone', 'The geo zone of the rate; empty: everywhere'),
        text('tax_class', 'Of the goods or of shipping'),
        text('rate', 'The name of the rate'),
        percent('percent', 'Of the rate'),
        money('net_sales', 'Paid goods and shipping, without tax'),
        money('tax_on_sales', 'Tax on them'),
        money('net_refunds', 'The part of refunds for these, without tax'),
        money('tax_on_refunds', 'Tax on it'),
        money('net', 'net_sales - net_refunds'),
        money('tax', 'tax_on_sales - tax_on_refunds'),
      ],
      order: 'country, zone, tax_class, percent desc, rate',
      sql,
      usesStoredSums: true,
    },
  },
}
