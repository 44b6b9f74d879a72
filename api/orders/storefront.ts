import { type Static, Type } from 'typebox'
import { nearDeclineLimit } from '#api/payments/challenge.ts'
import { paymentExample } from '#api/payments/examples.ts'
import { customer, guest } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import { findOrderOfBuyer } from '#shared/orders/buyers/buyer.ts'
import { limitFailedLookUps } from '#shared/orders/buyers/limit-failed-look-ups.ts'
import { lookUpOrder as lookUp } from '#shared/orders/buyers/look-up-order.ts'
import { OrderErrors, StockErrors } from '#shared/orders/errors.ts'
import { cancelOrder as cancel } from '#shared/orders/lifecycle/cancel-order.ts'
import { listOrders as list } from '#shared/orders/list-orders.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { OrderView } from '#shared/orders/view.ts'
import { omitSpentSecret } from '#shared/payments/open/omit-spent-secret.ts'
import { payOrder as pay } from '#shared/payments/open/pay-order.ts'
import { awaitOpened } from '#shared/payments/payment-or-setup.ts'
import { viewBuyerPayment } from '#shared/payments/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { findOrderIdsOfSubscription } from '#shared/subscriptions/charges/charges-of-order.ts'
import { VOUCHER_SPENDING_ERRORS } from '#shared/vouchers/errors.ts'
import { buyerOf } from './buyer-of.ts'
import { BuyerOrderView, FoundOrderView, loadBuyerOrder, PaidOrderView } from './buyer-order.ts'
import { orderExample } from './examples.ts'
import { AccessQuery, LookUpOrderRequest, OrderParams, OwnOrdersQuery, PayOrderRequest } from './schemas.ts'

const OWN_ORDER = "The customer's own order, or a guest's with the `access_token` of the checkout's response."

export const listOrders = endpoint({
  method: 'get',
  path: '/orders',
  access: customer,
  paginated: true,
  summary: "List the customer's orders",
  query: OwnOrdersQuery,
  returns: [200, Type.Array(OrderView)],
  example: { data: [orderExample] },
  async handle({ tx, customer, query }) {
    const ids = await findOrderIdsOfSubscription(tx, query.subscription_id)
    return page(await list(tx, { ...query, ids, customer_id: customer.id }), query)
  },
})

const noteExample = {
  body: 'The blue is lighter than in the picture.',
  created_at: '2026-10-11T09:45:00.000Z',
}

export const readOrder = endpoint({
  method: 'get',
  path: '/orders/:order_id',
  access: guest,
  summary: 'Read an order, with the notes of the store to its buyer',
  description: OWN_ORDER,
  params: OrderParams,
  query: AccessQuery,
  returns: [200, BuyerOrderView],
  errors: [CommonErrors.notFound],
  example: { data: { ...orderExample, notes: [noteExample] } },
  async handle({ tx, customer, params, query }) {
    const { id } = await findOrderOfBuyer(tx, params.order_id, buyerOf(customer, query))
    return loadBuyerOrder(tx, id)
  },
})

export const lookUpOrder = endpoint({
  method: 'post',
  path: '/orders/lookup',
  access: guest,
  limits: [limits.api, limits.orderLookUps],
  transaction: 'manual',
  summary: "Look up a guest's order by its number and e-mail address",
  description:
    'The response has an `access_token`, by which the order is read, paid, canceled and returned. A wrong number, a ' +
    "wrong address and a customer's order are answered alike: customers sign in. Failures are limited per hour by " +
    'number, and by number and network.',
  body: LookUpOrderRequest,
  returns: [200, FoundOrderView],
  errors: [CommonErrors.notFound],
  example: {
    body: { number: '7K3M9-QXZ4T', email: 'ada@example.com' },
    data: {
      order: { ...orderExample, notes: [] },
      access_token: 'kM3nP5qR7sT9uV1wX3yZ5aB7cD9eF1gH3iJ5kL7mN9o',
    },
  },
  handle({ store, body, request, unitOfWork }) {
    const attempt = { storeId: store.id, number: body.number, network: request.network }
    return limitFailedLookUps(attempt, () =>
      unitOfWork.inStore(store.id, async (tx) => {
        const { orderId, accessToken } = await lookUp(tx, body)
        return { order: await loadBuyerOrder(tx, orderId), access_token: accessToken }
      }),
    )
  },
})

export const payOrder = endpoint({
  method: 'post',
  path: '/orders/:order_id/pay',
  access: guest,
  idempotency: 'required',
  challenge: nearDeclineLimit,
  summary: 'Reopen the payment of an online order',
  description:
    `${OWN_ORDER} A pending order returns its open payment. A failed order becomes pending: its stock is held and ` +
    'its part of a voucher reserved again. It can be paid for seven days after it was placed, while its goods are ' +
    'sold; later charges of a subscription at any time. A free order that starts a subscription has a setup instead ' +
    'of a payment: the buyer confirms a card for later charges.',
  params: OrderParams,
  query: AccessQuery,
  body: PayOrderRequest,
  returns: [200, PaidOrderView],
  errors: [
    CommonErrors.notFound,
    OrderErrors.notPayable,
    StockErrors.insufficientStock,
    ...VOUCHER_SPENDING_ERRORS,
    CouponErrors.usageExceeded,
    RecurringPlanErrors.trialUsed,
  ],
  example: { body: {}, data: { order: orderExample, payment: paymentExample } },
  async handle({ tx, store, customer, params, query, request }) {
    const payer = { buyer: buyerOf(customer, query), network: request.network }
    const paymentOrSetup = await pay(tx, store, params.order_id, payer)
    return paymentOrSetup.id
  },
  async respond({ store, params, request }, paymentId) {
    const payment = await awaitOpened(store.id, paymentId, preferWait(request))
    // The gateway may have captured an earlier payment. Then the order is paid, and this payment is canceled.
    const order = await inStore(store.id, (tx) => loadOrderView(tx, params.order_id))
    return { order, payment: viewBuyerPayment(payment) }
  },
  async replay(tx, { payment, ...paid }: Static<typeof PaidOrderView>) {
    return { ...paid, payment: await omitSpentSecret(tx, payment) }
  },
})

export const cancelOrder = endpoint({
  method: 'post',
  path: '/orders/:order_id/cancel',
  access: guest,
  summary: 'Cancel an order that is not paid',
  description: OWN_ORDER,
  params: OrderParams,
  query: AccessQuery,
  returns: [200, OrderView],
  errors: [CommonErrors.notFound, OrderErrors.invalidTransition, OrderErrors.refundRequired],
  example: { data: { ...orderExample, status: 'canceled' } },
  async handle({ tx, customer, params, query }) {
    await cancel(tx, params.order_id, buyerOf(customer, query))
    return loadOrderView(tx, params.order_id)
  },
})
