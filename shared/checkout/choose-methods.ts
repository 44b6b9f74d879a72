import type { ClaimedLines } from '#shared/cart/claim-lines.ts'
import { assertPlace } from '#shared/geo/place.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { missing } from '#shared/platform/validation.ts'
import { assertStoreShips } from '#shared/settings/assert-store-ships.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { findTerms, type Terms } from '#shared/settings/find-terms.ts'
import { termsFor } from '#shared/tax/tax-terms.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { PAY_BY_VOUCHER } from './choose-voucher.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * Finds the tax of the buyer, the shipping method and the payment method for the shipping address. Throws 422 for an unknown place,
 * `checkout.shipping_unavailable` unless the shipping method is offered there, and `checkout.payment_method_disabled`
 * unless the payment method is active.
 */
export async function chooseMethods(
  tx: StoreTx,
  request: CheckoutRequest,
  { lines, isTaxExempt }: Pick<ClaimedLines, 'lines' | 'isTaxExempt'>,
): Promise<Terms> {
  const { shippingMethodId: requested, paymentMethod, shippingAddress: place, billingAddress } = request
  assertPlace(place, 'shipping_address')
  if (billingAddress) assertPlace(billingAddress, 'billing_address')
  const isShipped = lines.length > 0
  if (isShipped && requested === undefined) {
    await assertStoreShips(tx)
    throw missing(['shipping_method_id'])
  }
  const shippingMethodId = isShipped ? requested : undefined
  const terms = await findTerms(tx, { place, shippingMethodId, paymentMethod })
  if (isShipped && !terms.shipping) {
    await assertStoreShips(tx)
    throw ShippingMethodErrors.unavailable()
  }
  if (!terms.takesPayment && paymentMethod !== PAY_BY_VOUCHER)
    throw CheckoutErrors.paymentMethodDisabled({ method: paymentMethod })
  return { ...terms, tax: termsFor({ isTaxExempt }, terms.tax) }
}
