import type { CartHolder } from '#shared/cart/cart.ts'
import { readCart } from '#shared/cart/read-cart.ts'
import type { Place } from '#shared/geo/place.ts'
import { assertStoreShips } from '#shared/shipping-methods/assert-store-ships.ts'
import { findOfferedShippingMethods } from '#shared/shipping-methods/find-offered-shipping-methods.ts'
import { acceptsWeight, type OfferedMethod } from '#shared/shipping-methods/offered-method.ts'
import { taxRulesFor } from '#shared/tax/tax-rules.ts'
import { totalWeightGrams } from './assert-ships.ts'
import { shippingPriceFor } from './shipping-price.ts'

/** A shipping method and its price for a cart. */
export interface ShippingOffer {
  method: OfferedMethod
  priceMinor: bigint
}

/**
 * Returns the shipping methods for the holder's cart and a place, in the store's sequence. Throws
 * `checkout.shipping_unavailable` if the store has no active method. A cart with only gift vouchers needs none.
 */
export async function offerShipping(
  storeId: string,
  holder: CartHolder,
  place: Place,
  languages: readonly string[],
): Promise<ShippingOffer[]> {
  const { methods, tax } = await findOfferedShippingMethods({ storeId }, place, languages)
  const cart = await readCart(storeId, holder)
  const hasOnlyVouchers = cart.lines.length === 0 && cart.giftVouchers.length > 0
  if (methods.length === 0 && !hasOnlyVouchers) await assertStoreShips({ storeId })
  const priceOf = shippingPriceFor(taxRulesFor(cart, tax), cart)
  const grams = totalWeightGrams(cart.lines)
  return methods
    .filter((method) => acceptsWeight(method, grams))
    .map((method) => ({ method, priceMinor: priceOf(method) }))
}
