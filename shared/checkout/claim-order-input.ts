import { assertTrialUnits } from '#shared/cart/assert-trial-units.ts'
import { type EnteredCoupon, findCartCoupon } from '#shared/cart/cart-coupon.ts'
import { type ClaimedLines, claimLines } from '#shared/cart/claim-lines.ts'
import { mergeCart } from '#shared/cart/merge-cart.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import type { CouponBuyer } from '#shared/coupons/find-coupon-by-code.ts'
import { Customer } from '#shared/customers/customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { CheckoutCall } from './checkout-request.ts'
import type { OrderInput } from './draft-order.ts'
import { CheckoutErrors } from './errors.ts'
import { findAttribution } from './find-attribution.ts'
import { findCheckoutRules } from './find-checkout-rules.ts'
import { assertMaySubscribe } from './recurring-purchase.ts'

/**
 * Empties the cart and returns the input of its order. First merges the cart of a guest who has signed in into the
 * customer's. Throws the errors of the cart, the coupon and the checkout.
 */
export async function claimOrderInput(
  tx: StoreTx,
  { store, language, holder, request }: CheckoutCall,
): Promise<OrderInput> {
  const { customerId, cartToken } = holder
  if (!customerId && !store.guestCheckoutEnabled) throw CheckoutErrors.loginRequired()
  const email = request.email ?? (await emailOf(tx, customerId))
  // A guest who signed in after filling the cart: merge it.
  if (customerId && cartToken) await mergeCart(tx, { customerId, cartToken })
  const claimed = await claimLines(tx, holder)
  assertMaySubscribe(claimed.lines, customerId)
  assertTrialUnits(claimed.lines)
  const coupon = await chooseCoupon(tx, request.couponCode, claimed, { customerId, email })
  const rules = await findCheckoutRules(tx, request, claimed)
  const attribution = await findAttribution(tx, request, { customerId, email })
  const { lines, giftVouchers, metadata } = claimed
  return {
    store,
    language,
    customerId,
    email,
    lines,
    giftVouchers,
    coupon,
    rules,
    request,
    attribution,
    metadata,
  }
}

async function emailOf(tx: StoreTx, customerId: string | null): Promise<string> {
  if (!customerId) throw invalid(['email'], 'A guest needs an e-mail address')
  const { email } = await Customer.in(tx).findById(customerId).throwIfNotFound()
  return email
}

/**
 * Returns the requested coupon, or else that of the cart; null if there is none. Throws `coupon.not_found` for an
 * unknown requested code. A deleted coupon of the cart is ignored.
 */
async function chooseCoupon(
  tx: StoreTx,
  requested: string | undefined,
  { lines, couponCode }: ClaimedLines,
  buyer: CouponBuyer,
): Promise<EnteredCoupon | null> {
  const code = requested ?? couponCode
  const coupon = code === null ? null : await findCartCoupon(tx, code, lines, buyer)
  if (requested !== undefined && !coupon) throw CouponErrors.notFound()
  return coupon
}
