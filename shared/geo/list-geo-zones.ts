import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { GeoZone } from './geo-zone.ts'

export const GEO_ZONES = new List({
  sorts: { name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
  order: 'name',
  searches: 'Part of the name or the description',
  text: ['name', 'description'],
})

/** Returns a page of the store's geo zones, by default sorted by name. */
export const listGeoZones = (tx: StoreTx, filter: ListFilter) => GEO_ZONES.page(GeoZone.in(tx), filter)
