import { assertGeoZones } from '#shared/geo/geo-zone.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { assertTaxClass } from './tax-class.ts'
import { TaxRate } from './tax-rate.ts'

export interface TaxRateInput {
  name: string
  ratePpm: number
  taxClassId: string
  /** Null: everywhere. */
  geoZoneId?: string | null
  priority?: number
  isCompound?: boolean
}

/**
 * The rates that one price can bear. Exact prices are computed with the product of them: with five hundred, one line of
 * a cart takes 50 ms.
 */
export const MAX_PRIORITIES = 10

/** Throws 422 for an unknown tax class or geo zone, and for one priority too many. */
export async function createTaxRate(tx: StoreTx, input: TaxRateInput): Promise<TaxRate> {
  await assertReferences(tx, input)
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
  await assertFewPriorities(tx, rate)
  return rate
}

/** Changes a tax rate for later carts and checkouts. Throws 404, 412 `resource.changed`, and 422 as above. */
export async function changeTaxRate(
  tx: StoreTx,
  id: string,
  input: Partial<TaxRateInput>,
  ifMatch: string | undefined,
): Promise<TaxRate> {
  const before = await TaxRate.in(tx).findById(id).forNoKeyUpdate()
  if (!before) throw CommonErrors.notFound()
  assertUnchanged(before, ifMatch)
  await assertReferences(tx, input)
  bumpCatalogVersion(tx)
  const rate = await TaxRate.in(tx).patchAndFetchById(id, { ...input, updatedAt: nextUpdatedAt(before) })
  await assertFewPriorities(tx, rate)
  return rate
}

/** Deletes a tax rate. Orders keep their taxes. */
export async function deleteTaxRate(tx: StoreTx, id: string): Promise<void> {
  if (!(await TaxRate.in(tx).deleteById(id))) throw CommonErrors.notFound()
  bumpCatalogVersion(tx)
}

async function assertReferences(tx: StoreTx, { taxClassId, geoZoneId }: Partial<TaxRateInput>) {
  await assertTaxClass(tx, taxClassId)
  await assertGeoZones(tx, geoZoneId ? [geoZoneId] : [], ['geo_zone_id'])
}

/** Throws 422 when the saved rate gives its class more priorities than a class may have. */
async function assertFewPriorities(tx: StoreTx, { taxClassId, priority }: TaxRate): Promise<void> {
  // Of two rates at once, each could find that the other is not there.
  await lockName(tx.knex, `priorities of tax class ${taxClassId}`)
  const saved = await TaxRate.in(tx).where('tax_class_id', taxClassId).distinct('priority')
  if (saved.length > MAX_PRIORITIES)
    throw invalid(
      ['priority'],
      `The rates of a tax class have at most ${MAX_PRIORITIES} priorities`,
      priority,
    )
}
