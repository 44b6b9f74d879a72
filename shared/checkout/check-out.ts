import { mergeCart } from '#shared/cart/merge-cart.ts'
import type { CartHolder } from '#shared/cart/open-cart.ts'
import { takeLines } from '#shared/cart/take-lines.ts'
import { takeCoupon } from '#shared/coupons/take-coupon.ts'
import { Customer } from '#shared/customers/customer.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { chooseCoupon } from './choose-coupon.ts'
import { chooseMethods } from './choose-methods.ts'
import { chooseVoucher, payWith } from './choose-voucher.ts'
import { draftOrder, type OrderMaterial } from './draft-order.ts'
import { CheckoutErrors } from './errors.ts'
import { type CheckedOut, placeDraft } from './place-draft.ts'

/** Who checks out what, and the language they are written to in. */
export interface CheckoutCall {
  store: Store
  language: string
  holder: CartHolder
  request: CheckoutRequest
}

/**
 * Makes the holder's cart an order, in one transaction: priced now, its stock taken, its voucher's part reserved, its
 * payment begun, its time limits set, its event written. Throws the errors of decisions, section 6.
 */
export async function checkOut(tx: StoreTx, call: CheckoutCall): Promise<CheckedOut> {
  const material = await gather(tx, call)
  const { facts, lines } = draftOrder(material)
  const voucher = await chooseVoucher(tx, call.request, facts, material.vouchers)
  const placed = await placeDraft(tx, call.store, {
    facts: payWith(facts, voucher),
    lines,
    voucher,
    bought: material.vouchers,
  })
  if (material.coupon) await takeCoupon(tx, material.coupon.terms, takenFor(placed.order))
  return placed
}

const takenFor = ({ id: orderId, customerId, email, discountMinor }: Order) => ({
  orderId,
  customerId,
  email,
  discountMinor,
})

async function gather(
  tx: StoreTx,
  { store, language, holder, request }: CheckoutCall,
): Promise<OrderMaterial> {
  const { customerId, cartToken } = holder
  if (!customerId && !store.guestCheckoutEnabled) throw CheckoutErrors.loginRequired()
  const email = request.email ?? (await emailOf(tx, customerId))
  // A guest who signed in elsewhere meanwhile: the cart comes along (interface document, section 9).
  if (customerId && cartToken) await mergeCart(tx, { customerId, cartToken })
  const taken = await takeLines(tx, holder)
  const coupon = await chooseCoupon(tx, request.couponCode, taken, { customerId, email })
  const terms = await chooseMethods(tx, request, taken)
  const { lines, vouchers } = taken
  return { store, language, customerId, email, lines, vouchers, coupon, terms, request }
}

async function emailOf(tx: StoreTx, customerId: string | null): Promise<string> {
  if (!customerId) throw invalid(['email'], 'A guest gives an e-mail address')
  const { email } = await Customer.in(tx).findById(customerId).throwIfNotFound()
  return email
}
