import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import type { TaxRateInput } from '#shared/tax/tax-rate.ts'
import { assertPriorityLimit, assertRateReferences, TaxRate } from '#shared/tax/tax-rate.ts'

// Each cart and checkout sorts all rates of its place. With 100,000 of them that took PostgreSQL seconds.
const MAX_RATES = 5_000

/** Throws `tax_rate.limit_reached`, and 422 for an unknown tax class or geo zone, and for one priority too many. */
export async function createTaxRate(tx: StoreTx, input: TaxRateInput): Promise<TaxRate> {
  await assertBelowLimit(tx, TaxRate.in(tx), MAX_RATES, TaxErrors.taxRateLimitReached)
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
