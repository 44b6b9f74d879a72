import type { TakenLines } from '#shared/cart/take-lines.ts'
import { assertPlace } from '#shared/geo/place.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { missing } from '#shared/platform/validation.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { findTerms, type Terms } from '#shared/settings/find-terms.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { BY_VOUCHER } from './choose-voucher.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * Finds what holds for the shipping address; a way to ship where there is something to. Throws 422 for an address that
 * is nowhere, `checkout.shipping_unavailable` unless the way to ship is offered there, and
 * `checkout.payment_method_disabled` unless the way to pay is switched on.
 */
export async function chooseMethods(
  tx: StoreTx,
  request: CheckoutRequest,
  { lines }: TakenLines,
): Promise<Terms> {
  const { shippingMethodId: asked, paymentMethod, shippingAddress: place, billingAddress } = request
  assertPlace(place, 'shipping_address')
  if (billingAddress) assertPlace(billingAddress, 'billing_address')
  const isShipped = lines.length > 0
  if (isShipped && asked === undefined) throw missing(['shipping_method_id'])
  const shippingMethodId = isShipped ? asked : undefined
  const terms = await findTerms(tx, { place, shippingMethodId, paymentMethod })
  if (isShipped && !terms.shipping) throw ShippingMethodErrors.unavailable()
  if (!terms.takesPayment && paymentMethod !== BY_VOUCHER)
    throw CheckoutErrors.paymentMethodDisabled({ method: paymentMethod })
  return terms
}
