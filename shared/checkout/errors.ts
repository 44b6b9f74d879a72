import { defineErrors } from '#shared/platform/errors.ts'

export const CheckoutErrors = defineErrors({
  loginRequired: {
    code: 'checkout.login_required',
    status: 401,
    message: 'This store sells to signed-in customers only. Sign in or register, then check out.',
  },
  minOrderNotMet: {
    code: 'checkout.min_order_not_met',
    status: 422,
    message: ({ minimum, subtotal, currency }) =>
      `The minimum order of this store is ${minimum} ${currency}; the cart has ${subtotal}. Add more goods.`,
  },
  paymentMethodDisabled: {
    code: 'checkout.payment_method_disabled',
    status: 422,
    message: ({ method, due, minimum, maximum, currency }) =>
      due === undefined
        ? `This store does not accept the payment method "${method}". See GET /settings/payment-methods.`
        : `The payment method "${method}" pays at least ${minimum} ${currency} and at most ${maximum} ${currency}; ` +
          `${due} ${currency} are due. Choose another payment method.`,
  },
  cartEmpty: {
    code: 'checkout.cart_empty',
    status: 422,
    message: 'The cart is empty. Add something first.',
  },
  priceChanged: {
    code: 'checkout.price_changed',
    status: 409,
    message: ({ total, currency }) =>
      `The total is now ${total} ${currency}. Show the new total, then check out with it.`,
  },
})
