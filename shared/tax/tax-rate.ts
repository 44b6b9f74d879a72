import { assertGeoZones } from '#shared/geo/geo-zone.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { assertTaxClass } from './tax-class.ts'

/** A tax rate of a tax class in a geo zone. */
export class TaxRate extends StoreModel {
  static override tableName = 'tax_rates'

  declare taxClassId: string
  /** Null if it applies everywhere. */
  declare geoZoneId: string | null
  declare name: string
  /** The rate in parts per million. 190,000 is 19 %. */
  declare ratePpm: number
  /** Of a class's rates with the same priority, only the one with the closest geo zone applies. */
  declare priority: number
  /** Whether it applies to the amount plus the taxes of lower priorities. */
  declare isCompound: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** Finds a tax rate. Throws `resource.not_found`. */
export async function findTaxRate(tx: StoreTx, id: string): Promise<TaxRate> {
  return assertFound(await TaxRate.in(tx).findById(id))
}

/** SQL: the distinct rates of the current store, in parts per million, as a JSON array. */
export const TAX_RATES_PPM = `(
  select coalesce(json_agg(distinct rate_ppm), '[]') from tax_rates where store_id = ${CURRENT_STORE})`

export type TaxRateInput = Pick<TaxRate, 'name' | 'ratePpm' | 'taxClassId'> &
  Partial<Pick<TaxRate, 'geoZoneId' | 'priority' | 'isCompound'>>

/** Throws 422 for an unknown tax class or geo zone. */
export async function assertRateReferences(tx: StoreTx, { taxClassId, geoZoneId }: Partial<TaxRateInput>) {
  await assertTaxClass(tx, taxClassId)
  await assertGeoZones(tx, geoZoneId ? [geoZoneId] : [], ['geo_zone_id'])
}

/**
 * At most this many rates apply to one price: one of each priority. With 500, the exact arithmetic of one cart line
 * would take 50 ms.
 */
export const MAX_PRIORITIES = 10

/** Throws 422 if the saved rate gives its class too many priorities. */
export async function assertPriorityLimit(tx: StoreTx, { taxClassId, priority }: TaxRate): Promise<void> {
  // Without the lock, two concurrent inserts could miss each other.
  await lockName(tx.knex, `priorities of tax class ${taxClassId}`)
  const saved = await TaxRate.in(tx).where('tax_class_id', taxClassId).distinct('priority')
  if (saved.length > MAX_PRIORITIES)
    throw invalid(
      ['priority'],
      `The rates of a tax class have at most ${MAX_PRIORITIES} priorities`,
      priority,
    )
}
