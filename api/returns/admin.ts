import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { deleteReturn as remove } from '#shared/returns/lifecycle/delete-return.ts'
import { updateReturn as update } from '#shared/returns/lifecycle/update-return.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { requestReturn } from '#shared/returns/request/request-return.ts'
import { findReturn } from '#shared/returns/return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { returnExample, returnRequestExample } from './examples.ts'
import { toRequestedItems, toReturnRequest } from './read-request.ts'
import { respondWithReturn } from './respond-with-return.ts'
import { CreateReturnRequest, ReturnParams, ReturnsQuery, UpdateReturnRequest } from './schemas.ts'

export const listAdminReturns = endpoint({
  method: 'get',
  path: '/admin/returns',
  access: staff('sales:read'),
  audit: { action: 'getAdminReturns', resource: 'returns' },
  paginated: true,
  summary: 'List returns',
  description: "`q` searches the returns' and their orders' numbers, names and e-mail addresses.",
  query: ReturnsQuery,
  returns: [200, Type.Array(ReturnView)],
  example: { data: [returnExample] },
  async handle({ tx, query }) {
    return page(await listReturns(tx, query), query)
  },
})

export const createReturn = endpoint({
  method: 'post',
  path: '/admin/returns',
  access: staff('sales:write'),
  audit: { action: 'postAdminReturns', resource: 'returns' },
  summary: 'Request a return on behalf of a buyer',
  description: 'Of any shipped order, refunded or not.',
  body: CreateReturnRequest,
  returns: [201, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.orderNotShipped, ReturnErrors.quantityExceeded],
  example: { body: returnRequestExample, data: returnExample },
  async handle({ tx, body, staff }) {
    const rma = await requestReturn(tx, body.order_id, toReturnRequest(body), staff.name)
    return respondWithReturn(tx, 201, rma)
  },
})

export const readAdminReturn = endpoint({
  method: 'get',
  path: '/admin/returns/:return_id',
  access: staff('sales:read'),
  audit: { action: 'getAdminReturnsReturnId', resource: 'returns' },
  summary: 'Read a return',
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound],
  example: { data: returnExample },
  async handle({ tx, params }) {
    return respondWithReturn(tx, 200, await findReturn(tx, params.return_id))
  },
})

export const updateReturn = endpoint({
  method: 'patch',
  path: '/admin/returns/:return_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminReturnsReturnId', resource: 'returns' },
  summary: 'Change a return',
  description:
    '`items` until the goods are received: they replace all items of the return. `action` until it is fulfilled. ' +
    '`comment` always. A received return that is settled by the update is completed.',
  params: ReturnParams,
  body: UpdateReturnRequest,
  returns: [200, ReturnView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    ReturnErrors.notEditable,
    ReturnErrors.quantityExceeded,
  ],
  example: { body: { action: 'replacement' }, data: { ...returnExample, action: 'replacement' } },
  async handle({ tx, params, body: { items, ...change }, staff, ifMatch }) {
    const options = { actor: staff.name, ifMatch }
    const changes = { ...change, items: items && toRequestedItems(items) }
    return respondWithReturn(tx, 200, await update(tx, params.return_id, changes, options))
  },
})

export const deleteReturn = endpoint({
  method: 'delete',
  path: '/admin/returns/:return_id',
  access: staff('sales:write'),
  audit: { action: 'deleteAdminReturnsReturnId', resource: 'returns' },
  summary: 'Delete a return',
  description:
    'Only a requested, rejected or canceled one: no money and no stock moved for it. The buyer gets no mail; to turn ' +
    'a request down, reject it.',
  params: ReturnParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, ReturnErrors.inUse],
  example: { data: null },
  async handle({ tx, params, staff }) {
    await remove(tx, params.return_id, staff.name)
    return null
  },
})
