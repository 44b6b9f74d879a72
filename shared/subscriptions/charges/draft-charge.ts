import type { CartLine } from '#shared/cart/cart-line.ts'
import { findSellable } from '#shared/catalog/variants/find-sellable.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout-request.ts'
import { draftOrder } from '#shared/checkout/draft-order.ts'
import { findCheckoutRules } from '#shared/checkout/find-checkout-rules.ts'
import type { PayableDraft } from '#shared/checkout/place-by-payment-method.ts'
import { roundTotal } from '#shared/checkout/round-total.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { isTaxExempt } from '#shared/customers/tax-exemption.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { unitPriceAt } from '#shared/subscriptions/unit-price.ts'

/**
 * Drafts the order of a subscription's next charge. Its price, quantity, addresses and shipping method are the
 * subscription's; taxes and shipping prices are today's. Throws the errors of a checkout if it cannot be ordered.
 */
export async function draftCharge(
  tx: StoreTx,
  store: Store,
  subscription: Subscription,
): Promise<PayableDraft> {
  const { customerId, language, chargeNo, id: subscriptionId } = subscription
  const { email } = await findCustomer(tx, customerId)
  const request = toRequest(subscription)
  const lines = [await lineOf(tx, subscription)]
  const rules = await findCheckoutRules(tx, request, {
    lines,
    isTaxExempt: await isTaxExempt(tx, customerId),
  })
  const drafted = draftOrder({
    store,
    language,
    customerId,
    email,
    lines,
    rules,
    request,
    giftVouchers: [],
    coupon: null,
    metadata: {},
  })
  const details = roundTotal({ ...drafted.details, voucherMinor: 0n, subscriptionId, chargeNo })
  return { details, lines: drafted.lines, voucher: null, giftVouchers: [] }
}

const toRequest = (subscription: Subscription): CheckoutRequest => ({
  firstname: subscription.firstname,
  lastname: subscription.lastname,
  telephone: subscription.telephone,
  shippingAddress: subscription.shippingAddress,
  billingAddress: subscription.billingAddress,
  paymentMethod: subscription.paymentMethod,
  ...(subscription.shippingMethodId ? { shippingMethodId: subscription.shippingMethodId } : {}),
})

async function lineOf(tx: StoreTx, subscription: Subscription): Promise<CartLine> {
  const { id, variantId, quantity, terms, position } = subscription
  const sellable = (await findSellable(tx, [variantId])).get(variantId)
  if (!sellable) throw StockErrors.insufficientStock()
  const unitPriceMinor =
    terms.trial && isTrialCharge(terms, position)
      ? BigInt(terms.trial.priceMinor)
      : unitPriceAt(subscription, subscription.nextChargeAt)
  return {
    id,
    variantId,
    quantity,
    sellable: { ...sellable, unitPriceMinor },
    isAvailable: true,
    unitPriceMinor,
    lineTotalMinor: unitPriceMinor * BigInt(quantity),
    taxClassId: sellable.taxClassId,
  }
}
