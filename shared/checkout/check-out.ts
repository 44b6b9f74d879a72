import { mergeCart } from '../cart/merge-cart.ts'
import type { CartHolder } from '../cart/open-cart.ts'
import { takeLines } from '../cart/take-lines.ts'
import { Customer } from '../customers/customer.ts'
import { type OrderDraft, type PlacedOrder, placeOrder } from '../orders/place-order.ts'
import { paymentWindow, scheduleExpiry, scheduleRelease } from '../payments/schedule-expiry.ts'
import { startPayment } from '../payments/start-payment.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { invalid } from '../platform/validation.ts'
import type { Store } from '../stores/store.ts'
import type { CheckoutRequest } from './checkout-request.ts'
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
  if (!isOnline) return placeOffline(tx, { facts: { ...facts, expiresAt: null }, lines })

  const window = paymentWindow(call.store)
  const { holdUntil, expiresAt } = window
  const placed = await placeOrder(tx, { status: 'pending', facts: { ...facts, expiresAt }, lines, holdUntil })
  const payment = await startPayment(tx, placed.order)
  await scheduleRelease(tx, placed.order.id, window)
  await scheduleExpiry(tx, placed.order.id, window)
  return { ...placed, paymentId: payment.id }
}

async function gather(
  tx: StoreTx,
  { store, language, holder, request }: CheckoutCall,
): Promise<OrderMaterial> {
  const { customerId, cartToken } = holder
  if (!customerId && !store.guestCheckoutEnabled) throw CheckoutErrors.loginRequired()
  const email = request.email ?? (await emailOf(tx, customerId))
  // A guest who signed in elsewhere meanwhile: the cart comes along (interface document, section 9).
  if (customerId && cartToken) await mergeCart(tx, { customerId, cartToken })
  const lines = await takeLines(tx, holder)
  const shipping = await chooseMethods(tx, request)
  return { store, language, customerId, email, lines, shipping, request }
}

async function emailOf(tx: StoreTx, customerId: string | null): Promise<string> {
  if (!customerId) throw invalid(['body', 'email'], 'A guest gives an e-mail address')
  const { email } = await Customer.in(tx).findById(customerId).throwIfNotFound()
  return email
}

/** A bank transfer is awaited without a time limit; what is paid on delivery, or costs nothing, may leave at once. */
async function placeOffline(tx: StoreTx, draft: Pick<OrderDraft, 'facts' | 'lines'>): Promise<CheckedOut> {
  const awaitsMoney = draft.facts.paymentMethod === 'bank_transfer' && draft.facts.totalMinor > 0n
  const status = awaitsMoney ? 'pending' : 'processing'
  const placed = await placeOrder(tx, { ...draft, status, holdUntil: null })
  return { ...placed, paymentId: null }
}
