import { assertGeoZones } from '#shared/geo/find-geo-zone.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertTaxClass } from './find-class.ts'
import { TaxRate } from './tax-rate.ts'

export interface TaxRateDraft {
  name: string
  ratePpm: number
  taxClassId: string
  /** Null: everywhere. */
  geoZoneId?: string | null
  priority?: number
  isCompound?: boolean
}

/** Makes a tax rate. Throws 422 for a tax class or geo zone that the store has not. */
export async function createTaxRate(tx: StoreTx, draft: TaxRateDraft): Promise<TaxRate> {
  await assertReferences(tx, draft)
  const at = now()
  return TaxRate.in(tx).insert({
    geoZoneId: null,
    priority: 1,
    isCompound: false,
    ...draft,
    createdAt: at,
    updatedAt: at,
  })
}

/** Changes a tax rate, for carts and checkouts from then on. Throws 404, 412 `resource.changed`, and 422 as above. */
export async function changeTaxRate(
  tx: StoreTx,
  id: string,
  draft: Partial<TaxRateDraft>,
  ifMatch: string | undefined,
): Promise<TaxRate> {
  const before = await TaxRate.in(tx).findById(id).forNoKeyUpdate()
  if (!before) throw CommonErrors.notFound()
  assertUnchanged(before, ifMatch)
  await assertReferences(tx, draft)
  return TaxRate.in(tx).patchAndFetchById(id, { ...draft, updatedAt: nextUpdatedAt(before) })
}

/** Deletes a tax rate. Orders keep what they were taxed. */
export async function deleteTaxRate(tx: StoreTx, id: string): Promise<void> {
  if (!(await TaxRate.in(tx).deleteById(id))) throw CommonErrors.notFound()
}

async function assertReferences(tx: StoreTx, { taxClassId, geoZoneId }: Partial<TaxRateDraft>) {
  await assertTaxClass(tx, taxClassId)
  await assertGeoZones(tx, geoZoneId ? [geoZoneId] : [], ['geo_zone_id'])
}
