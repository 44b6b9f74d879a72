import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { TaxRate } from './tax-rate.ts'

/** A tax rate of the store; unknown: 404. */
export async function findTaxRate(tx: StoreTx, id: string): Promise<TaxRate> {
  const rate = await TaxRate.in(tx).findById(id)
  if (!rate) throw CommonErrors.notFound()
  return rate
}

export interface TaxRateFilter extends Paged {
  tax_class_id?: string
  geo_zone_id?: string
}

/** A page of the store's tax rates, by priority and name. */
export async function listTaxRates(tx: StoreTx, filter: TaxRateFilter) {
  const rates = TaxRate.in(tx).orderBy(['priority', 'name', 'id'])
  if (filter.tax_class_id) rates.where('tax_class_id', filter.tax_class_id)
  if (filter.geo_zone_id) rates.where('geo_zone_id', filter.geo_zone_id)
  return rates.page(filter.page - 1, filter.page_size)
}
