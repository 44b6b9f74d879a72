import type { Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

/** A tax rate of a tax class in a geo zone. */
export class TaxRate extends StoreModel {
  static override tableName = 'tax_rates'

  declare taxClassId: string
  /** Null: everywhere. */
  declare geoZoneId: string | null
  declare name: string
  /** Parts per million: 190,000 is 19 %. */
  declare ratePpm: number
  /** Of a class's rates with the same priority, only the one with the closest geo zone applies. */
  declare priority: number
  /** Whether it is charged on the amount plus the taxes of lower priorities. */
  declare isCompound: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** Throws `resource.not_found`. */
export async function findTaxRate(tx: StoreTx, id: string): Promise<TaxRate> {
  const rate = await TaxRate.in(tx).findById(id)
  if (!rate) throw CommonErrors.notFound()
  return rate
}

export interface TaxRateFilter extends Paged {
  tax_class_id?: string
  geo_zone_id?: string
}

/** Returns a page of the store's tax rates, sorted by priority and name. */
export async function listTaxRates(tx: StoreTx, filter: TaxRateFilter) {
  const rates = TaxRate.in(tx).orderBy(['priority', 'name', 'id'])
  if (filter.tax_class_id) rates.where('tax_class_id', filter.tax_class_id)
  if (filter.geo_zone_id) rates.where('geo_zone_id', filter.geo_zone_id)
  return rates.page(filter.page - 1, filter.page_size)
}

/** SQL: the distinct rates of the current store, in parts per million, as a JSON array. */
export const TAX_RATES_PPM = `(
  select coalesce(json_agg(distinct rate_ppm), '[]') from tax_rates where store_id = ${CURRENT_STORE})`
