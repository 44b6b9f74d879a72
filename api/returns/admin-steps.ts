import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { cancelReturn } from '#shared/returns/cancel-return.ts'
import { approveReturn, rejectReturn } from '#shared/returns/decide-return.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { receiveReturn } from '#shared/returns/receive-return.ts'
import { replaceReturn } from '#shared/returns/replace-return.ts'
import { restockReturn } from '#shared/returns/restock-return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { answerReturn } from './answer.ts'
import {
  approvedReturnExample,
  canceledReturnExample,
  receivedReturnExample,
  rejectedReturnExample,
  replacedReturnExample,
  restockedReturnExample,
  returnExample,
} from './examples.ts'
import { readArrivals } from './read-request.ts'
import { DecisionRequest, ReceiveRequest, ReturnParams } from './schemas.ts'

/** What the steps of a return have in common. */
const step = {
  method: 'post',
  access: staff('sales:write'),
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.invalidTransition],
} as const

export const approveOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/approve',
  audit: { action: 'postAdminReturnsReturnIdApprove', resource: 'returns' },
  summary: 'Approve a return: its goods may be sent',
  description: 'The buyer gets a mail, with `message` in it: where to send the goods, and how.',
  body: DecisionRequest,
  example: { body: { message: approvedReturnExample.message }, data: approvedReturnExample },
  async handle({ tx, params, body, staff }) {
    return answerReturn(tx, 200, await approveReturn(tx, params.return_id, body.message ?? null, staff.name))
  },
})

export const rejectOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/reject',
  audit: { action: 'postAdminReturnsReturnIdReject', resource: 'returns' },
  summary: 'Turn a request for a return down',
  description: 'The buyer gets a mail, with `message` in it. The units can be asked for anew.',
  body: DecisionRequest,
  example: { body: { message: rejectedReturnExample.message }, data: rejectedReturnExample },
  async handle({ tx, params, body, staff }) {
    return answerReturn(tx, 200, await rejectReturn(tx, params.return_id, body.message ?? null, staff.name))
  },
})

export const cancelOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/cancel',
  audit: { action: 'postAdminReturnsReturnIdCancel', resource: 'returns' },
  summary: 'Call a return off whose goods have not arrived',
  example: { data: canceledReturnExample },
  async handle({ tx, params, staff }) {
    return answerReturn(tx, 200, await cancelReturn(tx, params.return_id, staff.name))
  },
})

export const receiveOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/receive',
  audit: { action: 'postAdminReturnsReturnIdReceive', resource: 'returns' },
  summary: 'Note what arrived of a return',
  description:
    'Every unit is accounted for: `restocked` is to be sold again, `not_restocked` is here but not for sale, ' +
    '`missing` did not arrive and is not paid back. Units of one item that fared differently become items of their ' +
    'own. The stock moves with `restock`. When nothing is left to do, the return is completed at once.',
  body: ReceiveRequest,
  example: {
    body: { items: [{ id: returnExample.items[0]?.id, disposition: 'restocked' }] },
    data: receivedReturnExample,
  },
  async handle({ tx, params, body, staff }) {
    return answerReturn(tx, 200, await receiveReturn(tx, params.return_id, readArrivals(body), staff.name))
  },
})

export const restockOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/restock',
  audit: { action: 'postAdminReturnsReturnIdRestock', resource: 'returns' },
  summary: 'Put the goods of a return back on sale',
  description:
    'The units received as `restocked`, once. Units that a refund put back before are not counted twice.',
  errors: [CommonErrors.notFound, ReturnErrors.notReceived, ReturnErrors.nothingToRestock],
  example: { data: restockedReturnExample },
  async handle({ tx, params, staff }) {
    return answerReturn(tx, 200, await restockReturn(tx, params.return_id, staff.name))
  },
})

export const replaceOneReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/replace',
  audit: { action: 'postAdminReturnsReturnIdReplace', resource: 'returns' },
  summary: 'Send a buyer the goods of a return anew',
  description:
    'Makes an order of the units that arrived, for nothing, to where the first one went: `replacement_order_id`. Its ' +
    'stock is taken at once, and it is shipped as any other order. If it is canceled, another may be asked for.',
  errors: [
    CommonErrors.notFound,
    ReturnErrors.notReceived,
    ReturnErrors.otherAction,
    ReturnErrors.alreadyReplaced,
    ReturnErrors.alreadyRefunded,
    RefundErrors.inProgress,
    ReturnErrors.notReplaceable,
    StockErrors.insufficient,
  ],
  example: { data: replacedReturnExample },
  async handle({ tx, params, staff }) {
    return answerReturn(tx, 200, await replaceReturn(tx, params.return_id, staff.name))
  },
})
