import { holderOf } from '#api/cart/holder.ts'
import { orderExample } from '#api/orders/examples.ts'
import { paymentExample } from '#api/payments/examples.ts'
import { guest } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { SPENDING_ERRORS } from '#api/vouchers/spending-errors.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import { CheckoutErrors } from '#shared/checkout/errors.ts'
import { COUPON_REFUSALS } from '#shared/coupons/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { awaitOpenedPayment } from '#shared/payments/payment.ts'
import { viewBuyerPayment } from '#shared/payments/view.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { checkoutExample } from './examples.ts'
import { toCheckoutRequest } from './read-request.ts'
import { CheckoutBody, CheckoutView } from './schemas.ts'

export const placeOrder = endpoint({
  method: 'post',
  path: '/checkout',
  access: guest,
  idempotency: 'required',
  summary: 'Make the cart an order',
  description:
    'Prices and stock are those of this moment; send `expected_total` to be refused when the total is another. ' +
    'The coupon is that of `coupon_code`, else the one on the cart; one that does not apply is refused with its error, ' +
    'so that nobody is charged without it: take it off first. A guest gives an e-mail address and gets the ' +
    '`access_token` of the order. `payment` is null where no gateway is asked. A gift voucher pays as much as is left of ' +
    'it: that is reserved while the rest is to be paid, captured with it, and released when it is not paid. Where it ' +
    'covers the whole order, this is paid at once; so is one by `sandbox`, with play money, outside production. While no worker opens it, a payment is `pending` without a secret: ' +
    'ask for it by POST /orders/{order_id}/pay.',
  body: CheckoutBody,
  returns: [201, CheckoutView],
  errors: [
    ...Object.values(CheckoutErrors),
    ...COUPON_REFUSALS,
    ...SPENDING_ERRORS,
    VoucherErrors.notFound,
    VoucherErrors.currencyMismatch,
    ShippingMethodErrors.unavailable,
    CartErrors.totalTooLarge,
    StockErrors.insufficient,
  ],
  example: { body: checkoutExample, data: { order: orderExample, payment: paymentExample } },
  async handle({ tx, store, customer, cartToken, body, request: { language } }) {
    const holder = holderOf({ customer, cartToken })
    const request = toCheckoutRequest(body, store.currency)
    const { view, accessToken, paymentId } = await checkOut(tx, { store, language, holder, request })
    return { order: { ...view, ...(accessToken ? { access_token: accessToken } : {}) }, paymentId }
  },
  async respond({ store, request }, { order, paymentId }) {
    const payment = paymentId && (await awaitOpenedPayment(store.id, paymentId, preferWait(request)))
    return { order, payment: payment && viewBuyerPayment(payment) }
  },
})
