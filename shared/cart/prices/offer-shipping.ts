import type { CartHolder } from '#shared/cart/cart.ts'
import { readCart } from '#shared/cart/read-cart.ts'
import type { Place } from '#shared/geo/place.ts'
import { assertStoreShips } from '#shared/shipping-methods/assert-store-ships.ts'
import { findOfferedMethods } from '#shared/shipping-methods/find-offered-methods.ts'
import { acceptsWeight, type OfferedMethod } from '#shared/shipping-methods/offered-method.ts'
import { taxRulesFor } from '#shared/tax/tax-rules.ts'
import { totalWeightGrams } from './assert-ships.ts'
import { shippingPriceFor } from './price-goods.ts'

/** A shipping method and its price for a cart. */
export interface ShippingOffer {
  method: OfferedMethod
  priceMinor: bigint
}

/**
 * The shipping methods for the holder's cart and a place, in the store's order. Throws `checkout.shipping_unavailable`
 * when the store has no active method at all, unless the cart has only gift vouchers.
 */
export async function offerShipping(
  storeId: string,
  holder: CartHolder,
  place: Place,
): Promise<ShippingOffer[]> {
  const { methods, tax } = await findOfferedMethods({ storeId }, place)
  const cart = await readCart(storeId, holder)
  const hasOnlyVouchers = cart.lines.length === 0 && cart.vouchers.length > 0
  if (methods.length === 0 && !hasOnlyVouchers) await assertStoreShips({ storeId })
  const priceOf = shippingPriceFor(taxRulesFor(cart, tax), cart)
  return methods
    .filter((method) => acceptsWeight(method, totalWeightGrams(cart.lines)))
    .map((method) => ({ method, priceMinor: priceOf(method) }))
}
