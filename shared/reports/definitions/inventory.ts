import { availableSql } from '#shared/inventory/stock-level.ts'
import { count, money, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { PRODUCT_FACTS } from '#shared/reports/facts/product-facts.ts'
import { inStoreLanguage } from '#shared/reports/facts/sql.ts'
import type { KeySql, Report } from '#shared/reports/report.ts'

const sql = (_keys: KeySql): string => `
  with ${SPANS},
  sold as (
    select variant_id, sum(units) as units from (${factsInRangeSql(PRODUCT_FACTS)}) as f where variant_id <> '' group by 1)
  select v.id as variant_id, v.sku, ${inStoreLanguage('p.name_i18n')} as name, v.stock_on_hand as on_hand,
    v.stock_allocated as allocated, v.stock_held as held, ${availableSql('v')} as available,
    greatest(v.stock_on_hand, 0)::bigint * coalesce(v.price_minor, p.price_minor) as value,
    coalesce(s.units, 0) as units_sold,
    case when s.units > 0 then floor(greatest(${availableSql('v')}, 0)::numeric * (:days)::integer / s.units) end as days_of_cover,
    case when ${availableSql('v')} < (:threshold)::integer then 1 else 0 end as below_threshold
  from product_variants v
  join products p on p.store_id = v.store_id and p.id = v.product_id
  left join sold s on s.variant_id = v.id::text
  where v.deleted_at is null and p.deleted_at is null`

export const INVENTORY_REPORT: Report = {
  name: 'inventory',
  summary: 'Stock, its value and how long it lasts',
  description:
    'The current stock, the shortest first. `days_of_cover` is how long the available units last if they sell as in ' +
    'the range; null where none was sold. `value` is at the usual price, without sales and tiers. As a CSV file the ' +
    'rows are in the order in which the variants were created.',
  inStoreCurrency: true,
  layouts: {
    variant: {
      columns: [
        text('variant_id', ''),
        text('sku', ''),
        text('name', "Of the product, in the store's language"),
        count('on_hand', 'Units in stock'),
        count('allocated', 'Of these, sold and not yet shipped'),
        count('held', 'Of these, promised to orders whose payment is open'),
        count('available', 'on_hand - allocated - held; below 0 on backorder'),
        money('value', 'Of the units on hand'),
        count('units_sold', 'Units of orders that were paid in the range'),
        count('days_of_cover', 'Whole days', 'none'),
        count('below_threshold', '1 where fewer units than `threshold` are available; the total counts them'),
      ],
      order: 'available, sku, variant_id',
      // A store may have 100,000 variants.
      rowId: 'variant_id',
      sql,
      usesStoredSums: true,
    },
  },
}
