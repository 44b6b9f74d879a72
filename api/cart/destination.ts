import type { Static } from 'typebox'
import { inQuery, invalidQuery } from '#api/platform/input/request-part.ts'
import type { Destination } from '#shared/cart/price-at.ts'
import { assertPlace } from '#shared/geo/place.ts'
import type { Store } from '#shared/stores/store.ts'
import type { CartQuery } from './schemas.ts'

/** Where a cart is to go: where the query says, else to the store's own country; null when that is not known either. */
export function destinationOf(
  { country: own }: Store,
  { country: asked, zone, postcode, shipping_method_id: shippingMethodId }: Static<typeof CartQuery> = {},
): Destination | null {
  const country = asked ?? own
  if (country === null) {
    if (zone ?? postcode ?? shippingMethodId)
      throw invalidQuery('country', 'Name the country of the destination')
    return null
  }
  const place = { country, zone, postcode }
  inQuery(() => assertPlace(place))
  return { place, shippingMethodId }
}

/** Where a cart is taken to go while nobody has said where. */
export const homeOf = (store: Store): Destination | null => destinationOf(store)
