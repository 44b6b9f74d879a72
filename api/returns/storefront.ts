import { Type } from 'typebox'
import { buyerOf } from '#api/orders/buyer-of.ts'
import { AccessQuery } from '#api/orders/schemas.ts'
import { customer, guest } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { cancelOwnReturn as cancel } from '#shared/returns/lifecycle/cancel-return.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { loadReturnView } from '#shared/returns/load-return-views.ts'
import { requestOwnReturn as requestReturn } from '#shared/returns/request/request-return.ts'
import { findReturnOfBuyer } from '#shared/returns/return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { canceledReturnExample, returnExample, returnRequestExample } from './examples.ts'
import { toReturnRequest } from './read-request.ts'
import { CreateOwnReturnRequest, OwnReturnsQuery, ReturnParams } from './schemas.ts'

const OWN_RETURN =
  "The customer's own return, or one of a guest's order with the `access_token` of the checkout's response or of the " +
  'order lookup.'

export const listOwnReturns = endpoint({
  method: 'get',
  path: '/returns',
  access: customer,
  paginated: true,
  summary: "List the customer's returns",
  query: OwnReturnsQuery,
  returns: [200, Type.Array(ReturnView)],
  example: { data: [returnExample] },
  async handle({ tx, customer, query }) {
    return page(await listReturns(tx, { ...query, customer_id: customer.id }), query)
  },
})

export const requestOwnReturn = endpoint({
  method: 'post',
  path: '/returns',
  access: guest,
  summary: 'Request a return',
  description:
    "Of shipped units of the customer's own order, or of a guest's with the `access_token` of the checkout's " +
    'response or of the order lookup. Staff approve or reject it.',
  query: AccessQuery,
  body: CreateOwnReturnRequest,
  returns: [201, ReturnView],
  errors: [
    CommonErrors.notFound,
    ReturnErrors.orderNotShipped,
    ReturnErrors.quantityExceeded,
    ReturnErrors.limitReached,
  ],
  example: { body: returnRequestExample, data: returnExample },
  async handle({ tx, customer, query, body }) {
    const rma = await requestReturn(tx, body.order_id, toReturnRequest(body), buyerOf(customer, query))
    return loadReturnView(tx, rma.id)
  },
})

export const readOwnReturn = endpoint({
  method: 'get',
  path: '/returns/:return_id',
  access: guest,
  summary: 'Read a return',
  description: OWN_RETURN,
  params: ReturnParams,
  query: AccessQuery,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound],
  example: { data: returnExample },
  async handle({ tx, customer, params, query }) {
    const { id } = await findReturnOfBuyer(tx, params.return_id, buyerOf(customer, query))
    return loadReturnView(tx, id)
  },
})

export const cancelOwnReturn = endpoint({
  method: 'post',
  path: '/returns/:return_id/cancel',
  access: guest,
  summary: 'Cancel a return',
  description: `Before its goods are received. ${OWN_RETURN}`,
  params: ReturnParams,
  query: AccessQuery,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.invalidTransition],
  example: { data: canceledReturnExample },
  async handle({ tx, customer, params, query }) {
    await cancel(tx, params.return_id, buyerOf(customer, query))
    return loadReturnView(tx, params.return_id)
  },
})
