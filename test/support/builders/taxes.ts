import { createGeoZone } from '#shared/geo/create-geo-zone.ts'
import type { GeoZoneMember } from '#shared/geo/geo-zone-members.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { createTaxClass } from '#shared/tax/classes/create-tax-class.ts'
import { toPpm } from '#shared/tax/percent.ts'
import { createTaxRate } from '#shared/tax/rates/create-tax-rate.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** A geo zone of these places. Default: Germany. */
export const buildGeoZone = (
  store: { id: string },
  members: GeoZoneMember[] = [{ country: 'DE' }],
): Promise<{ id: string }> =>
  inStore(store.id, (tx) => createGeoZone(tx, { name: `Zone ${nextNumber()}`, members }))

/** A tax class without rates. */
export const buildTaxClass = (store: { id: string }, { isDefault = false } = {}): Promise<{ id: string }> =>
  inStore(store.id, (tx) => createTaxClass(tx, { name: `Class ${nextNumber()}`, isDefault }))

export interface GivenRate {
  percent: number
  /** Default: a new one. */
  taxClassId?: string
  /** Default: everywhere. */
  members?: GeoZoneMember[]
  priority?: number
  isCompound?: boolean
}

/** A tax rate, with the class and the geo zone that it needs. */
export async function buildTaxRate(
  store: { id: string },
  { percent, members, priority = 1, isCompound = false, ...given }: GivenRate,
): Promise<{ id: string; taxClassId: string; geoZoneId: string | null }> {
  const taxClassId = given.taxClassId ?? (await buildTaxClass(store)).id
  const geoZoneId = members ? (await buildGeoZone(store, members)).id : null
  const { id } = await inStore(store.id, (tx) =>
    createTaxRate(tx, {
      name: `Rate ${nextNumber()}`,
      ratePpm: toPpm(percent),
      taxClassId,
      geoZoneId,
      priority,
      isCompound,
    }),
  )
  return { id, taxClassId, geoZoneId }
}
