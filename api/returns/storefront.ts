import { Type } from 'typebox'
import { AccessQuery } from '#api/orders/schemas.ts'
import { customer, guest } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { cancelOwnReturn as cancel } from '#shared/returns/cancel-return.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { loadReturnView } from '#shared/returns/load-views.ts'
import { requestOwnReturn as request } from '#shared/returns/request-return.ts'
import { findReturn } from '#shared/returns/return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { canceledReturnExample, returnExample, returnRequestExample } from './examples.ts'
import { readReturnRequest } from './read-request.ts'
import { OwnReturnRequest, OwnReturnsQuery, ReturnParams } from './schemas.ts'

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
    "Of shipped units of the customer's own order, or of a guest's with the `access_token` of the checkout's response or of " +
    'the order lookup. Staff approve or reject it.',
  query: AccessQuery,
  body: OwnReturnRequest,
  returns: [201, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.orderNotShipped, ReturnErrors.quantityExceeded],
  example: { body: returnRequestExample, data: returnExample },
  async handle({ tx, customer, query, body }) {
    const buyer = { customerId: customer?.id ?? null, accessToken: query.access_token ?? null }
    const rma = await request(tx, body.order_id, readReturnRequest(body), buyer)
    return loadReturnView(tx, rma.id)
  },
})

export const readOwnReturn = endpoint({
  method: 'get',
  path: '/returns/:return_id',
  access: customer,
  summary: "Read one of the customer's returns",
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound],
  example: { data: returnExample },
  async handle({ tx, customer, params }) {
    const { id } = await findReturn(tx, params.return_id, { customerId: customer.id })
    return loadReturnView(tx, id)
  },
})

export const cancelOwnReturn = endpoint({
  method: 'post',
  path: '/returns/:return_id/cancel',
  access: customer,
  summary: "Cancel one of the customer's returns",
  description: 'Before its goods are received.',
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.invalidTransition],
  example: { data: canceledReturnExample },
  async handle({ tx, customer, params }) {
    await cancel(tx, params.return_id, customer.id)
    return loadReturnView(tx, params.return_id)
  },
})
