import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { CartContents } from '#shared/cart/read-cart.ts'
import type { Place } from '#shared/geo/place.ts'
import type { ReadScope } from '#shared/platform/db/query-json.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { NO_TAX, taxRulesFor } from '#shared/tax/tax-rules.ts'
import { assertShips } from './assert-ships.ts'
import { findSaleRules } from './find-sale-rules.ts'
import { type PricedGoods, priceGoods } from './price-goods.ts'

/** The place and shipping method of a cart, if they are known. */
export interface Destination {
  place: Place
  shippingMethodId?: string | undefined
}

/** A cart with its lines at the prices of a place. */
export interface PricedCart extends PricedGoods {
  id: string | null
  /** Gift vouchers to buy, included in the totals. */
  giftVouchers: VoucherLine[]
  metadata: Metadata
}

/**
 * Prices a cart for a destination, as checkout does. Without a destination there is no tax and no shipping cost. Throws
 * `checkout.shipping_unavailable` if the shipping method is not offered there.
 */
export async function priceForDestination(
  within: ReadScope,
  cart: CartContents,
  destination: Destination | null,
): Promise<PricedCart> {
  const { id, giftVouchers, metadata, lines } = cart
  const parts = { id, giftVouchers, metadata }
  if (!destination) return { ...parts, ...priceGoods({ shipping: undefined, tax: NO_TAX }, cart) }
  const rules = await findSaleRules(within, destination)
  if (destination.shippingMethodId) assertShips(rules, lines)
  return { ...parts, ...priceGoods({ ...rules, tax: taxRulesFor(cart, rules.tax) }, cart) }
}
