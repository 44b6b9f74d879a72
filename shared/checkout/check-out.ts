import { assertTrialUnits } from '#shared/cart/assert-trial-units.ts'
import type { CartHolder } from '#shared/cart/cart.ts'
import { type EnteredCoupon, findCartCoupon } from '#shared/cart/cart-coupon.ts'
import { type ClaimedLines, claimLines } from '#shared/cart/claim-lines.ts'
import { mergeCart } from '#shared/cart/merge-cart.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import type { CouponBuyer } from '#shared/coupons/find-coupon-by-code.ts'
import { redeemCoupon } from '#shared/coupons/redeem-coupon.ts'
import { Customer } from '#shared/customers/customer.ts'
import type { Order } from '#shared/orders/order.ts'
import { assertMayTryCard } from '#shared/payments/open/card-testing.ts'
import { recordPayerNetwork } from '#shared/payments/open/payer-network.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { recordTrialUses } from '#shared/recurring-plans/trial-use.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertExpectedTotal } from './assert-expected-total.ts'
import { assertMinimumOrder } from './assert-minimum-order.ts'
import { attributeOrder } from './attribute-order.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { applyVoucher, chooseVoucher } from './choose-voucher.ts'
import { consumeUnpaidOrderQuota } from './consume-unpaid-order-quota.ts'
import { type CheckoutInput, draftOrder } from './draft-order.ts'
import { CheckoutErrors } from './errors.ts'
import { findCheckoutRules } from './find-checkout-rules.ts'
import { type CheckedOut, placeByPaymentMethod } from './place-by-payment-method.ts'
import {
  assertMaySubscribe,
  assertMethodAllowsRecurring,
  firstChargeOf,
  plansOnTrial,
  type RecurringPurchase,
  recurringPurchasesOf,
} from './recurring-purchase.ts'
import { roundTotal } from './round-total.ts'

/**
 * The input of `checkOut`. `language` is the language of the order's mails. Declined cards and unpaid orders are
 * counted per `network`.
 */
export interface CheckoutCall {
  store: Store
  language: string
  network?: string
  holder: CartHolder
  request: CheckoutRequest
}

/**
 * Starts the subscriptions of an order. The first one gets the id `order.subscriptionId`. Checkout may not import
 * subscriptions, so the caller passes this function in.
 */
export type StartSubscriptions = (
  tx: StoreTx,
  order: Order,
  purchases: readonly RecurringPurchase[],
) => Promise<void>

/**
 * Turns the holder's cart into an order at current prices, in one transaction. Reserves stock and voucher, starts the
 * payment and the subscriptions, schedules the order's expiry and emits `order.created`. Throws 429 after too many
 * declined cards, and the errors of the cart, the coupon, the voucher and the checkout.
 */
export async function checkOut(
  tx: StoreTx,
  call: CheckoutCall,
  startSubscriptions: StartSubscriptions,
): Promise<CheckedOut> {
  const { network = null, request } = call
  if (request.paymentMethod === 'card') await assertMayTryCard(tx, { network })
  const input = await claimInput(tx, call)
  const { details: priced, lines } = draftOrder(input)
  assertMinimumOrder(call.store, priced, input)
  const voucher = await chooseVoucher(tx, request, priced, input.vouchers)
  const payable = applyVoucher(priced, voucher)
  // A voucher that covers the total has replaced the payment method.
  assertMethodAllowsRecurring(input.lines, payable.paymentMethod)
  const recurring = recurringPurchasesOf(input.lines)
  const details = roundTotal({ ...payable, ...firstChargeOf(recurring) })
  assertExpectedTotal(details, request.expectedTotalMinor)
  const placed = await placeByPaymentMethod(tx, call.store, {
    details,
    lines,
    voucher,
    bought: input.vouchers,
  })
  if (input.coupon) await redeemCoupon(tx, input.coupon.rules, toRedemption(placed.order))
  const { paymentOrSetupId } = placed
  if (paymentOrSetupId && network) await recordPayerNetwork(tx, paymentOrSetupId, network)
  if (network && !placed.order.paidAt)
    consumeUnpaidOrderQuota(tx, { network, email: placed.order.email, isByCard: paymentOrSetupId !== null })
  await recordTrialUses(tx, placed.order, plansOnTrial(recurring))
  await startSubscriptions(tx, placed.order, recurring)
  return placed
}

const toRedemption = ({ id: orderId, customerId, email, discountMinor }: Order) => ({
  orderId,
  customerId,
  email,
  discountMinor,
})

/** Reads the input of an order. Merges a guest's cart into the customer's, and empties the cart. */
async function claimInput(
  tx: StoreTx,
  { store, language, holder, request }: CheckoutCall,
): Promise<CheckoutInput> {
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
  const attribution = await attributeOrder(tx, request, { customerId, email })
  const { lines, vouchers, metadata } = claimed
  return {
    store,
    language,
    customerId,
    email,
    lines,
    vouchers,
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
