import type { StoreTx } from '../platform/store-scope.ts'
import { PaymentMethod } from '../settings/payment-method.ts'
import { ShippingMethod } from '../settings/shipping-method.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { CheckoutErrors } from './errors.ts'

/** The chosen way to ship; throws `checkout.shipping_unavailable` unless it is offered for the address. */
export async function chooseShipping(tx: StoreTx, request: CheckoutRequest): Promise<ShippingMethod> {
  const method = await ShippingMethod.in(tx).findById(request.shipping_method_id)
  if (!method?.shipsTo(request.shipping_address.country)) throw CheckoutErrors.shippingUnavailable()
  return method
}

/** The chosen way to pay; throws `checkout.payment_method_disabled` unless it is switched on. */
export async function choosePayment(tx: StoreTx, request: CheckoutRequest): Promise<PaymentMethod> {
  const method = await PaymentMethod.in(tx).findOne({ code: request.payment_method, is_active: true })
  if (!method) throw CheckoutErrors.paymentMethodDisabled({ method: request.payment_method })
  return method
}
