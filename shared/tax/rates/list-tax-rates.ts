import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { TaxRate } from '#shared/tax/tax-rate.ts'

export const TAX_RATES = new List({
  sorts: {
    priority: ['priority', 'name'],
    name: 'name',
    percent: 'rate_ppm',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'priority',
  searches: 'Part of the name',
  text: ['name'],
  filters: {
    tax_class_id: Type.Optional(Uuid),
    geo_zone_id: Type.Optional(Uuid),
  },
})

export type TaxRateFilter = FilterOf<typeof TAX_RATES>

/** Returns a page of the store's tax rates, by default sorted by priority and name. */
export function listTaxRates(tx: StoreTx, filter: TaxRateFilter) {
  const rates = TaxRate.in(tx)
  if (filter.tax_class_id) rates.where('tax_class_id', filter.tax_class_id)
  if (filter.geo_zone_id) rates.where('geo_zone_id', filter.geo_zone_id)
  return TAX_RATES.page(rates, filter)
}
