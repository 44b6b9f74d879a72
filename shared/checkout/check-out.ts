import { redeemCoupon } from '#shared/coupons/redeem-coupon.ts'
import type { Order } from '#shared/orders/order.ts'
import { assertMayTryCard } from '#shared/payments/open/card-testing.ts'
import { recordPayerNetwork } from '#shared/payments/open/payer-network.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { recordTrialUses } from '#shared/recurring-plans/trial-use.ts'
import { assertExpectedTotal } from './assert-expected-total.ts'
import { assertMinimumOrder } from './assert-minimum-order.ts'
import type { CheckoutCall } from './checkout-request.ts'
import { applyVoucher, chooseVoucher } from './choose-voucher.ts'
import { claimOrderInput } from './claim-order-input.ts'
import { consumeUnpaidOrderQuota } from './consume-unpaid-order-quota.ts'
import { draftOrder } from './draft-order.ts'
import { type CheckedOut, placeByPaymentMethod } from './place-by-payment-method.ts'
import {
  assertMethodAllowsRecurring,
  firstChargeOf,
  plansOnTrial,
  type RecurringPurchase,
  recurringPurchasesOf,
} from './recurring-purchase.ts'
import { roundTotal } from './round-total.ts'

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
  const input = await claimOrderInput(tx, call)
  const { details: priced, lines } = draftOrder(input)
  assertMinimumOrder(call.store, priced, input)
  const voucher = await chooseVoucher(tx, request, priced, input.giftVouchers)
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
    giftVouchers: input.giftVouchers,
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
