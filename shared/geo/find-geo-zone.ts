import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { GeoZone } from './geo-zone.ts'

/** A geo zone of the store; unknown: 404. */
export async function findGeoZone(tx: StoreTx, id: string): Promise<GeoZone> {
  const zone = await GeoZone.in(tx).findById(id)
  if (!zone) throw CommonErrors.notFound()
  return zone
}

/** The same, locked: its changes are made one after another. */
export async function lockGeoZone(tx: StoreTx, id: string): Promise<GeoZone> {
  const zone = await GeoZone.in(tx).findById(id).forNoKeyUpdate()
  if (!zone) throw CommonErrors.notFound()
  return zone
}

/** A page of the store's geo zones, by name. */
export const listGeoZones = (tx: StoreTx, { page, page_size }: Paged) =>
  GeoZone.in(tx)
    .orderBy(['name', 'id'])
    .page(page - 1, page_size)

/** Refuses (422) geo zones that the store has not; those it has stay until the transaction ends. */
export async function assertGeoZones(tx: StoreTx, ids: readonly string[], loc: string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await GeoZone.in(tx)
    .findByIds([...ids])
    .forKeyShare()
    .select('id')
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id.toLowerCase()))
  if (unknown !== undefined) throw invalid(loc, 'This store has no such geo zone', unknown)
}
