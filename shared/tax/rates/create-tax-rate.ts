import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { TaxRateInput } from '#shared/tax/tax-rate.ts'
import { assertPriorityLimit, assertRateReferences, TaxRate } from '#shared/tax/tax-rate.ts'

/** Throws 422 for an unknown tax class or geo zone, and for one priority too many. */
export async function createTaxRate(tx: StoreTx, input: TaxRateInput): Promise<TaxRate> {
  await assertRateReferences(tx, input)
  bumpCatalogVersion(tx)
  const at = now()
  const rate = await TaxRate.in(tx).insert({
    geoZoneId: null,
    priority: 1,
    isCompound: false,
    ...input,
    createdAt: at,
    updatedAt: at,
  })
  await assertPriorityLimit(tx, rate)
  return rate
}
