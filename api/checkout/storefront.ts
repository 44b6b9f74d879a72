import type { Static } from 'typebox'
import { toCartHolder } from '#api/cart/read-request.ts'
import { orderExample } from '#api/orders/examples.ts'
import { nearDeclineLimit } from '#api/payments/challenge.ts'
import { paymentExample } from '#api/payments/examples.ts'
import { guest } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { checkOut as checkOutCart } from '#shared/checkout/check-out.ts'
import { isNearOrderLimit } from '#shared/checkout/consume-unpaid-order-quota.ts'
import { CheckoutErrors } from '#shared/checkout/errors.ts'
import type { CheckedOut } from '#shared/checkout/place-by-payment-method.ts'
import { COUPON_REFUSALS } from '#shared/coupons/errors.ts'
import { limitUnknownCodes } from '#shared/coupons/limit-unknown-codes.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { omitSpentSecret } from '#shared/payments/open/omit-spent-secret.ts'
import { awaitOpened } from '#shared/payments/payment-or-setup.ts'
import { viewBuyerPayment } from '#shared/payments/view.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { VOUCHER_SPENDING_ERRORS, VoucherErrors } from '#shared/vouchers/errors.ts'
import { checkoutExample } from './examples.ts'
import { toCheckoutRequest } from './read-request.ts'
import { CheckoutView, PlaceOrderRequest } from './schemas.ts'

export const checkOut = endpoint({
  method: 'post',
  path: '/checkout',
  access: guest,
  limits: [limits.api, limits.spentVouchers],
  idempotency: 'required',
  transaction: 'manual',
  async challenge(facts) {
    const isByCard = (facts.body as Static<typeof PlaceOrderRequest>).payment_method === 'card'
    if (isByCard && (await nearDeclineLimit(facts))) return true
    return isNearOrderLimit(facts.network, isByCard)
  },
  summary: 'Place an order from the cart',
  description:
    'Places the order at current prices and stock. With `expected_total`, another total is an error. A guest sends ' +
    'an e-mail address and gets the `access_token` of the order.\n\n' +
    'Coupon: `coupon_code`, or else the coupon of the cart. A coupon that does not apply is an error, so that no ' +
    'buyer pays more than expected: remove it first. Unknown codes count together with those of POST ' +
    '/cart/coupon.\n\n' +
    'Gift voucher: It pays up to its balance. The amount is reserved while the order awaits payment, captured when ' +
    'it is paid, and released when it is not. A voucher that covers the whole order pays immediately. Checkouts with ' +
    'a `voucher_code` count together with GET /vouchers/{code}.\n\n' +
    'Payment: `payment` is null without a gateway payment. The play money of `sandbox` pays immediately; production ' +
    'does not have it. A payment by card is rounded to the steps of the gateway (`rounding_total`), and is refused ' +
    'below `min_amount` and above `max_amount` of GET /settings/payment-methods. A payment that no worker has opened ' +
    'yet is `pending` without a secret: get it with POST /orders/{order_id}/pay. Orders are limited ' +
    'per hour for each network; orders that are paid later also for each e-mail address.\n\n' +
    'Recurring plans: Lines by a plan need a signed-in customer and a payment method that `takes_recurring`. Each ' +
    'line starts a subscription, and the order is its first charge. A customer has the trial of a plan once, for ' +
    'at most its `max_quantity` units. The ' +
    'card is saved for later charges. A free order by card with such a line is `pending` until the buyer has ' +
    'confirmed a setup of the card: then `payment.kind` is `setup`, and its secret confirms a setup, not a ' +
    'payment.\n\n' +
    'Links: The order belongs to the link of the last click of `visitor_id` within 30 days, permanently. Later ' +
    'charges of a subscription belong to no link.',
  body: PlaceOrderRequest,
  returns: [201, CheckoutView],
  errors: [
    ...Object.values(CheckoutErrors),
    ...COUPON_REFUSALS,
    ...VOUCHER_SPENDING_ERRORS,
    VoucherErrors.notFound,
    VoucherErrors.currencyMismatch,
    ShippingMethodErrors.unavailable,
    CartErrors.totalTooLarge,
    RecurringPlanErrors.tooManyTrialUnits,
    RecurringPlanErrors.trialUsed,
    StockErrors.insufficientStock,
  ],
  example: { body: checkoutExample, data: { order: orderExample, payment: paymentExample } },
  async handle({ store, customer, cartToken, body, request: { language, network }, unitOfWork }) {
    const holder = toCartHolder({ customer, cartToken })
    const request = toCheckoutRequest(body, store.currency)
    const call = { store, language, network, holder, request }
    const placeOrder = () =>
      unitOfWork.inStore(store.id, async (tx) => toOutcome(await checkOutCart(tx, call, startSubscriptions)))
    if (body.coupon_code === undefined) return placeOrder()
    return limitUnknownCodes({ storeId: store.id, network }, placeOrder)
  },
  async respond({ store, request }, { order, paymentOrSetupId }) {
    const payment = paymentOrSetupId && (await awaitOpened(store.id, paymentOrSetupId, preferWait(request)))
    return { order, payment: payment && viewBuyerPayment(payment) }
  },
  async replay(tx, { payment, ...placed }: Static<typeof CheckoutView>) {
    return { ...placed, payment: payment && (await omitSpentSecret(tx, payment)) }
  },
})

/** Returns the placed order as its buyer sees it, and the payment or card setup to wait for. */
const toOutcome = ({ view, accessToken, paymentOrSetupId }: CheckedOut) => ({
  order: { ...view, ...(accessToken ? { access_token: accessToken } : {}) },
  paymentOrSetupId,
})
