import type { Place } from '#shared/geo/place.ts'
import { listOfferedMethods } from '#shared/settings/list-offered-methods.ts'
import { carries, type OfferedMethod, shippingPrice } from '#shared/settings/offered-method.ts'
import type { CartHolder } from './open-cart.ts'
import { goodsOf, weightOf } from './price-at.ts'
import { readCart } from './read-cart.ts'

/** A way to ship the holder's cart, and what that costs, net. */
export interface Offer {
  method: OfferedMethod
  priceMinor: bigint
}

/** The ways to ship the holder's cart to a place, in the store's order. */
export async function offerShipping(storeId: string, holder: CartHolder, place: Place): Promise<Offer[]> {
  const methods = await listOfferedMethods({ storeId }, place)
  const { lines, coupon } = await readCart(storeId, holder)
  return methods
    .filter((method) => carries(method, weightOf(lines)))
    .map((method) => ({
      method,
      priceMinor: coupon?.freeShipping ? 0n : shippingPrice(method, goodsOf(lines)),
    }))
}
