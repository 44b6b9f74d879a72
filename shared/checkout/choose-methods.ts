import { assertPlace } from '../geo/place.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { ShippingMethodErrors } from '../settings/errors.ts'
import { findTerms, type Terms } from '../settings/find-terms.ts'
import type { OfferedMethod } from '../settings/offered-method.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { BY_VOUCHER } from './choose-voucher.ts'
import { CheckoutErrors } from './errors.ts'

/** What an order is shipped, paid and taxed by. */
export interface ChosenTerms extends Terms {
  shipping: OfferedMethod
}

/**
 * Finds what holds for the shipping address. Throws 422 for an address that is nowhere, `checkout.shipping_unavailable`
 * unless the way to ship is offered there, and `checkout.payment_method_disabled` unless the way to pay is switched on.
 */
export async function chooseMethods(tx: StoreTx, request: CheckoutRequest): Promise<ChosenTerms> {
  const { shipping_method_id: shippingMethodId, payment_method: paymentMethod, shipping_address } = request
  assertPlace(shipping_address, 'body', 'shipping_address')
  if (request.billing_address) assertPlace(request.billing_address, 'body', 'billing_address')
  const { shipping, ...terms } = await findTerms(tx, {
    place: shipping_address,
    shippingMethodId,
    paymentMethod,
  })
  if (!shipping) throw ShippingMethodErrors.unavailable()
  if (!terms.takesPayment && paymentMethod !== BY_VOUCHER)
    throw CheckoutErrors.paymentMethodDisabled({ method: paymentMethod })
  return { shipping, ...terms }
}
