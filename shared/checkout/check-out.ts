import { mergeCart } from '../cart/merge-cart.ts'
import type { CartHolder } from '../cart/open-cart.ts'
import { takeLines } from '../cart/take-lines.ts'
import { takeCoupon } from '../coupons/take-coupon.ts'
import { Customer } from '../customers/customer.ts'
import type { Order } from '../orders/order.ts'
import { type PlacedOrder, placeOrder } from '../orders/place-order.ts'
import { paymentWindow, scheduleExpiry, scheduleRelease } from '../payments/schedule-expiry.ts'
import { startPayment } from '../payments/start-payment.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { invalid } from '../platform/validation.ts'
import type { Store } from '../stores/store.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { chooseCoupon } from './choose-coupon.ts'
import { chooseMethods } from './choose-methods.ts'
import { draftOrder, type OrderMaterial } from './draft-order.ts'
import { CheckoutErrors } from './errors.ts'

/** Who checks out what, and the language they are written to in. */
export interface CheckoutCall {
  store: Store
  language: string
  holder: CartHolder
  request: CheckoutRequest
}

export interface CheckedOut extends PlacedOrder {
  /** Null where no gateway is asked: paid by other means, or free. */
  paymentId: string | null
}

/**
 * Makes the holder's cart an order, in one transaction: priced now, its stock taken, its payment begun, its time
 * limits set, its event written. Throws the errors of decisions, section 6.
 */
export async function checkOut(tx: StoreTx, call: CheckoutCall): Promise<CheckedOut> {
  const material = await gather(tx, call)
  const { facts, lines } = draftOrder(material)
  const isOnline = call.request.payment_method === 'card' && facts.totalMinor > 0n
  const placed = isOnline
    ? await placeOnline(tx, call.store, { facts, lines })
    : await placeOffline(tx, { facts, lines })
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
  const coupon = await chooseCoupon(tx, request.coupon_code, taken, { customerId, email })
  const shipping = await chooseMethods(tx, request)
  return { store, language, customerId, email, lines: taken.lines, coupon, shipping, request }
}

async function emailOf(tx: StoreTx, customerId: string | null): Promise<string> {
  if (!customerId) throw invalid(['body', 'email'], 'A guest gives an e-mail address')
  const { email } = await Customer.in(tx).findById(customerId).throwIfNotFound()
  return email
}

/** What is not placed yet does not know how long it waits for its money. */
type Drafted = ReturnType<typeof draftOrder>

async function placeOnline(tx: StoreTx, store: Store, { facts, lines }: Drafted): Promise<CheckedOut> {
  const window = paymentWindow(store)
  const { holdUntil, expiresAt } = window
  const placed = await placeOrder(tx, { status: 'pending', facts: { ...facts, expiresAt }, lines, holdUntil })
  const payment = await startPayment(tx, placed.order)
  await scheduleRelease(tx, placed.order.id, window)
  await scheduleExpiry(tx, placed.order.id, window)
  return { ...placed, paymentId: payment.id }
}

/** A bank transfer is awaited without a time limit; what is paid on delivery, or costs nothing, may leave at once. */
async function placeOffline(tx: StoreTx, { facts, lines }: Drafted): Promise<CheckedOut> {
  const awaitsMoney = facts.paymentMethod === 'bank_transfer' && facts.totalMinor > 0n
  const status = awaitsMoney ? 'pending' : 'processing'
  const draft = { status, facts: { ...facts, expiresAt: null }, lines, holdUntil: null } as const
  return { ...(await placeOrder(tx, draft)), paymentId: null }
}
