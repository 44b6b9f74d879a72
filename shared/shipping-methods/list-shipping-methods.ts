import { inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ShippingMethod, type ShippingMethodWithZones, zonesOfMethods } from './shipping-method.ts'

export const SHIPPING_METHODS = new List({
  sorts: {
    position: ['position', 'code'],
    code: 'code',
    price: 'price_minor',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'position',
  searches: 'Part of the code or of a name',
  text: ['code', inAnyLanguage('name_i18n')],
})

/** Returns a page of the store's shipping methods, by default sorted by position. */
export async function listShippingMethods(
  tx: StoreTx,
  filter: ListFilter,
): Promise<Page<ShippingMethodWithZones>> {
  const { results: methods, total } = await SHIPPING_METHODS.page(ShippingMethod.in(tx), filter)
  const zones = await zonesOfMethods(
    tx,
    methods.map(({ id }) => id),
  )
  return { results: methods.map((method) => ({ method, geoZoneIds: zones.get(method.id) ?? [] })), total }
}
