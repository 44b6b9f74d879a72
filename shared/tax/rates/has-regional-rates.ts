import { findZonesDividing } from '#shared/geo/geo-zone-members.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { TaxRate } from '#shared/tax/tax-rate.ts'

/** Whether some tax rate applies to only a part of the country. */
export async function hasRegionalRates(tx: StoreTx, country: string): Promise<boolean> {
  const rate = await TaxRate.in(tx)
    .whereIn('geo_zone_id', await findZonesDividing(tx, country))
    .select('id')
    .first()
  return rate !== undefined
}
