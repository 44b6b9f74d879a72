import { ORDER_STATUSES } from '#shared/orders/states.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { PRODUCT_FACTS } from '#shared/reports/facts/product-facts.ts'
import { inStoreLanguage, matchesFilterSql } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

// A gift voucher is a line without a product, so its key is empty.
const sql = ({ key }: KeySql): string => `
  with ${SPANS},
  summed as (
    select ${key('product_id')} as key, sum(units) as units, sum(gross) as gross, sum(discounts) as discounts,
      sum(revenue) as revenue, sum(tax) as tax, sum(refunded_units) as refunded_units, sum(refunds) as refunds,
      sum(returned_units) as returned_units, max(line_name) as name
    from (${factsInRangeSql(PRODUCT_FACTS)}) as f where ${matchesFilterSql('f')} group by 1)
  select s.key as product_id, coalesce(p.sku, '') as sku,
    case when p.id is null then s.name else ${inStoreLanguage('p.name_i18n')} end as name,
    s.units, s.gross, s.discounts, s.revenue, s.tax, s.refunded_units, s.refunds, s.returned_units
  from summed s left join products p on p.id::text = s.key`

export const PRODUCTS_REPORT: Report = {
  name: 'products',
  summary: 'Units and revenue by product',
  description:
    'Units count when their order is paid, refunds when they are settled, returns when the goods arrive. A refund of ' +
    'an amount, without units, is of no product. Gift vouchers are one row without a product. Views of products are ' +
    'not tracked.',
  statuses: ORDER_STATUSES,
  layouts: {
    product: {
      columns: [
        text('product_id', 'Empty for gift vouchers'),
        text('sku', 'Of the product, where it has one'),
        text('name', "In the store's language"),
        count('units', 'Sold units'),
        money('gross', 'At their prices, before discounts'),
        money('discounts', 'Their part of the discounts'),
        money('revenue', 'After discounts, without tax'),
        money('tax', 'Tax on them'),
        count('refunded_units', 'Units whose price was paid back'),
        money('refunds', 'The prices of these units, with tax'),
        count('returned_units', 'Units that came back'),
      ],
      order: 'revenue desc, product_id',
      sql,
      usesStoredSums: true,
    },
  },
}
