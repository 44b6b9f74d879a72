import type { Place } from '#shared/geo/place.ts'
import {
  carries,
  listOfferedMethods,
  type OfferedMethod,
  shippingPrice,
} from '#shared/settings/offered-method.ts'
import type { CartHolder } from './cart.ts'
import { discountedGoodsMinor, totalWeightGrams } from './price-for-destination.ts'
import { readCart } from './read-cart.ts'

/** A shipping method and its net price for a cart. */
export interface ShippingOffer {
  method: OfferedMethod
  priceMinor: bigint
}

/** The shipping methods for the holder's cart and a place, in the store's order. */
export async function offerShipping(
  storeId: string,
  holder: CartHolder,
  place: Place,
): Promise<ShippingOffer[]> {
  const methods = await listOfferedMethods({ storeId }, place)
  const { lines, coupon } = await readCart(storeId, holder)
  return methods
    .filter((method) => carries(method, totalWeightGrams(lines)))
    .map((method) => ({
      method,
      priceMinor: coupon?.freeShipping ? 0n : shippingPrice(method, discountedGoodsMinor(lines)),
    }))
}
