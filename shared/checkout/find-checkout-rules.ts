import type { ClaimedLines } from '#shared/cart/claim-lines.ts'
import { findSaleRules, type SaleRules } from '#shared/cart/prices/find-sale-rules.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { PAY_BY_VOUCHER } from '#shared/orders/order-payment-methods.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { missing } from '#shared/platform/validation.ts'
import { assertStoreShips } from '#shared/shipping-methods/assert-store-ships.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { taxRulesFor } from '#shared/tax/tax-rules.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * Finds the tax rules, the shipping method and the payment method for the shipping address. Throws 422 for an unknown
 * place, `checkout.shipping_unavailable` if the shipping method is not offered there, and
 * `checkout.payment_method_disabled` if the payment method is inactive.
 */
export async function findCheckoutRules(
  tx: StoreTx,
  request: CheckoutRequest,
  { lines, isTaxExempt }: Pick<ClaimedLines, 'lines' | 'isTaxExempt'>,
): Promise<SaleRules> {
  const { shippingMethodId: requested, paymentMethod, shippingAddress: place, billingAddress } = request
  assertPlace(place, 'shipping_address')
  if (billingAddress) assertPlace(billingAddress, 'billing_address')
  const isShipped = lines.length > 0
  if (isShipped && requested === undefined) {
    await assertStoreShips(tx)
    throw missing(['shipping_method_id'])
  }
  const shippingMethodId = isShipped ? requested : undefined
  const rules = await findSaleRules(tx, { place, shippingMethodId, paymentMethod })
  if (isShipped && !rules.shipping) {
    await assertStoreShips(tx)
    throw ShippingMethodErrors.unavailable()
  }
  if (!rules.takesPayment && paymentMethod !== PAY_BY_VOUCHER)
    throw CheckoutErrors.paymentMethodDisabled({ method: paymentMethod })
  return { ...rules, tax: taxRulesFor({ isTaxExempt }, rules.tax) }
}
