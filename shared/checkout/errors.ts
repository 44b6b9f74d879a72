import { type AllOrNone, defineErrors } from '#shared/platform/errors.ts'

/** An amount due that a payment method does not pay. */
interface OutOfRange {
  due: number
  minimum: number
  maximum: number
  currency: string
}

export const CheckoutErrors = defineErrors({
  loginRequired: {
    code: 'checkout.login_required',
    status: 401,
    message: ({ isRecurring }: { isRecurring?: true }) =>
      isRecurring
        ? 'Recurring plans are for signed-in customers. Sign in or register, then check out.'
        : 'This store sells to signed-in customers only. Sign in or register, then check out.',
  },
  minOrderNotMet: {
    code: 'checkout.min_order_not_met',
    status: 422,
    message: ({ minimum, subtotal, currency }: { minimum: number; subtotal: number; currency: string }) =>
      `The minimum order of this store is ${minimum} ${currency}; the cart has goods for ${subtotal}. Add more goods.`,
  },
  paymentMethodDisabled: {
    code: 'checkout.payment_method_disabled',
    status: 422,
    message: ({ method, due, minimum, maximum, currency }: { method: string } & AllOrNone<OutOfRange>) =>
      due === undefined
        ? `This store does not accept the payment method "${method}". See GET /settings/payment-methods.`
        : `The payment method "${method}" pays at least ${minimum} ${currency} and at most ${maximum} ${currency}; ` +
          `${due} ${currency} are due. Choose another payment method.`,
  },
  paymentMethodNotRecurring: {
    code: 'checkout.payment_method_not_recurring',
    status: 422,
    message: ({ method }: { method: string }) =>
      method === 'voucher'
        ? 'A gift voucher can pay a part of the first charge of a recurring plan, not all of it: there would be no ' +
          'card for the next one. Use a voucher with a smaller balance, or none.'
        : `The payment method "${method}" cannot be charged again, as a recurring plan needs. Choose one with ` +
          '`takes_recurring` in GET /settings/payment-methods, or remove the lines by a plan.',
  },
  cartEmpty: {
    code: 'checkout.cart_empty',
    status: 422,
    message: 'The cart is empty. Add something first.',
  },
  priceChanged: {
    code: 'checkout.price_changed',
    status: 409,
    message: ({ total, currency }: { total: number; currency: string }) =>
      `The total is now ${total} ${currency}. Show the new total, then check out with it.`,
  },
})
