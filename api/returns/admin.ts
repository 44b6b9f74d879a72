import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { changeReturn } from '#shared/returns/change-return.ts'
import { deleteReturn as remove } from '#shared/returns/delete-return.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { findReturn } from '#shared/returns/lock-return.ts'
import { requestReturn } from '#shared/returns/request-return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { answerReturn } from './answer.ts'
import { returnExample, returnRequestExample } from './examples.ts'
import { readItems, readReturnRequest } from './read-request.ts'
import { CreateReturnRequest, ReturnParams, ReturnsQuery, UpdateReturnRequest } from './schemas.ts'

export const listAdminReturns = endpoint({
  method: 'get',
  path: '/admin/returns',
  access: staff('sales:read'),
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
  summary: 'Ask for a return on behalf of a buyer',
  description: 'Of any order whose goods have left, one that was refunded since among them.',
  body: CreateReturnRequest,
  returns: [201, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.orderNotShipped, ReturnErrors.quantityExceeded],
  example: { body: returnRequestExample, data: returnExample },
  async handle({ tx, body, staff }) {
    const rma = await requestReturn(tx, body.order_id, readReturnRequest(body), staff.name)
    return answerReturn(tx, 201, rma)
  },
})

export const readAdminReturn = endpoint({
  method: 'get',
  path: '/admin/returns/:return_id',
  access: staff('sales:read'),
  summary: 'Read a return',
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound],
  example: { data: returnExample },
  async handle({ tx, params }) {
    return answerReturn(tx, 200, await findReturn(tx, params.return_id))
  },
})

export const updateReturn = endpoint({
  method: 'patch',
  path: '/admin/returns/:return_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminReturnsReturnId', resource: 'returns' },
  summary: 'Change a return',
  description:
    '`items` until the goods are received: they replace all items, and one left out comes off the return. `action` ' +
    'until the buyer got what they get. `comment` always. A received return that waits for nothing more after the ' +
    'change is completed.',
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
  async handle({ tx, params, body: { items, ...change }, staff, request }) {
    const changing = { actor: staff.name, ifMatch: request.headers['if-match'] }
    const changes = { ...change, items: items && readItems(items) }
    return answerReturn(tx, 200, await changeReturn(tx, params.return_id, changes, changing))
  },
})

export const deleteReturn = endpoint({
  method: 'delete',
  path: '/admin/returns/:return_id',
  access: staff('sales:write'),
  audit: { action: 'deleteAdminReturnsReturnId', resource: 'returns' },
  summary: 'Delete a return that came to nothing',
  description:
    'One that is requested, rejected or canceled: no money and no stock moved for it. Its buyer is told nothing; to ' +
    'turn a request down, reject it.',
  params: ReturnParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, ReturnErrors.inUse],
  example: { data: null },
  async handle({ tx, params, staff }) {
    await remove(tx, params.return_id, staff.name)
    return null
  },
})
