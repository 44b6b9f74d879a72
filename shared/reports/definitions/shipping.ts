import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { SALES_FACTS } from '#shared/reports/facts/sales-facts.ts'
import { matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

const sql = ({ key }: KeySql): string => `
  with ${SPANS}
  select ${key('shipping_code')} as code, max(shipping_name) as name, sum(orders) as orders, sum(free_orders) as free_orders,
    sum(shipping) as shipping, sum(shipping_tax) as tax, sum(shipping_refunds) as refunds
  from (${factsInRangeSql(SALES_FACTS)}) as s where ${matchesFilterSql('s')} and shipping_code <> '' group by 1`

export const SHIPPING_REPORT: Report = {
  name: 'shipping',
  summary: 'Orders and revenue by shipping method',
  description:
    'Orders count when they are paid, refunds when they are settled. Orders that ship nothing are not here.',
  statuses: ORDER_STATUSES,
  layouts: {
    shipping_method: {
      columns: [
        text('code', 'Of the shipping method'),
        text('name', 'Its name in an order'),
        count('orders', 'Paid orders'),
        count('free_orders', 'Of these, with free shipping'),
        money('shipping', 'Shipping, without tax'),
        money('tax', 'Tax on it'),
        money('refunds', 'Shipping that was paid back, with tax'),
      ],
      order: 'shipping desc, code',
      sql,
      usesStoredSums: true,
    },
  },
}
