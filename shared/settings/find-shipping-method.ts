import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { zonesOfMethods } from './method-zones.ts'
import { ShippingMethod } from './shipping-method.ts'

/** A way to ship with the geo zones it goes to; none: everywhere. */
export interface WholeMethod {
  method: ShippingMethod
  geoZoneIds: string[]
}

/** A way to ship of the store; unknown: 404. */
export async function findShippingMethod(tx: StoreTx, id: string): Promise<WholeMethod> {
  const method = await ShippingMethod.in(tx).findById(id)
  if (!method) throw CommonErrors.notFound()
  const zones = await zonesOfMethods(tx, [method.id])
  return { method, geoZoneIds: zones.get(method.id) ?? [] }
}

/** A page of the store's ways to ship, in its order. */
export async function listShippingMethods(
  tx: StoreTx,
  { page, page_size }: Paged,
): Promise<Page<WholeMethod>> {
  const { results: methods, total } = await ShippingMethod.in(tx)
    .orderBy(['position', 'code'])
    .page(page - 1, page_size)
  const zones = await zonesOfMethods(
    tx,
    methods.map(({ id }) => id),
  )
  return { results: methods.map((method) => ({ method, geoZoneIds: zones.get(method.id) ?? [] })), total }
}
