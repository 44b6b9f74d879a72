import type { StoreTx } from '../platform/store-scope.ts'
import { findMethods } from '../settings/find-methods.ts'
import type { ShippingMethod } from '../settings/shipping-method.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { BY_VOUCHER } from './choose-voucher.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * The chosen way to ship. Throws `checkout.shipping_unavailable` unless it is offered for the address, and
 * `checkout.payment_method_disabled` unless the way to pay is switched on.
 */
export async function chooseMethods(tx: StoreTx, request: CheckoutRequest): Promise<ShippingMethod> {
  const { shipping_method_id, payment_method: method, shipping_address } = request
  const { shipping, takesPayment } = await findMethods(tx, shipping_method_id, method)
  if (!shipping?.shipsTo(shipping_address.country)) throw CheckoutErrors.shippingUnavailable()
  if (!takesPayment && method !== BY_VOUCHER) throw CheckoutErrors.paymentMethodDisabled({ method })
  return shipping
}
