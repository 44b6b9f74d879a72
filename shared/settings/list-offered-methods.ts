import { type Place, placeJson, zonesAround } from '#shared/geo/place.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/json-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import { isOffered, OFFERED_ROW, type OfferedMethod, type OfferedRow, toOffered } from './offered-method.ts'

const LIST_OFFERED: Statement = {
  name: 'list_offered_methods',
  text: `
    with around as materialized (${zonesAround('$1::jsonb')})
    select ${OFFERED_ROW}::text as json from shipping_methods s
    where ${isOffered('$1::jsonb')}
    order by s.position, s.code`,
}

/** The ways to ship to a place, in the store's order. */
export async function listOfferedMethods(within: ReadScope, place: Place): Promise<OfferedMethod[]> {
  return (await queryJson<OfferedRow>(within, LIST_OFFERED, [placeJson(place)])).map(toOffered)
}
