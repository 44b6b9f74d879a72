import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { approveReturn as approve } from '#shared/returns/lifecycle/approve-return.ts'
import { cancelReturn as cancel } from '#shared/returns/lifecycle/cancel-return.ts'
import { receiveReturn as receive } from '#shared/returns/lifecycle/receive-return.ts'
import { rejectReturn as reject } from '#shared/returns/lifecycle/reject-return.ts'
import { replaceReturn as replace } from '#shared/returns/lifecycle/replace-return.ts'
import { restockReturn as restock } from '#shared/returns/lifecycle/restock-return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import {
  approvedReturnExample,
  canceledReturnExample,
  receivedReturnExample,
  rejectedReturnExample,
  replacedReturnExample,
  restockedReturnExample,
  returnExample,
} from './examples.ts'
import { toArrivals } from './read-request.ts'
import { respondWithReturn } from './respond-with-return.ts'
import { DecideReturnRequest, ReceiveReturnRequest, ReturnParams } from './schemas.ts'

const step = {
  method: 'post',
  access: staff('sales:write'),
  params: ReturnParams,
  returns: [200, ReturnView],
  errors: [CommonErrors.notFound, ReturnErrors.invalidTransition],
} as const

export const approveReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/approve',
  audit: { action: 'postAdminReturnsReturnIdApprove', resource: 'returns' },
  summary: 'Approve a return, so that the buyer sends the goods',
  description: 'The buyer gets a mail with `message`, which says how and to which address to send the goods.',
  body: DecideReturnRequest,
  example: { body: { message: approvedReturnExample.message }, data: approvedReturnExample },
  async handle({ tx, params, body, staff }) {
    return respondWithReturn(tx, 200, await approve(tx, params.return_id, body.message ?? null, staff.name))
  },
})

export const rejectReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/reject',
  audit: { action: 'postAdminReturnsReturnIdReject', resource: 'returns' },
  summary: 'Reject a return',
  description: 'The buyer gets a mail with `message`. The units can be returned by another request.',
  body: DecideReturnRequest,
  example: { body: { message: rejectedReturnExample.message }, data: rejectedReturnExample },
  async handle({ tx, params, body, staff }) {
    return respondWithReturn(tx, 200, await reject(tx, params.return_id, body.message ?? null, staff.name))
  },
})

export const cancelReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/cancel',
  audit: { action: 'postAdminReturnsReturnIdCancel', resource: 'returns' },
  summary: 'Cancel a return before its goods arrive',
  example: { data: canceledReturnExample },
  async handle({ tx, params, staff }) {
    return respondWithReturn(tx, 200, await cancel(tx, params.return_id, staff.name))
  },
})

export const receiveReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/receive',
  audit: { action: 'postAdminReturnsReturnIdReceive', resource: 'returns' },
  summary: 'Receive the goods of a return',
  description:
    'List every unit: `restocked` is sellable, `not_restocked` arrived but is not sellable, `missing` did not arrive ' +
    'and is not refunded. Units of one item with different dispositions become items of their own. `restock` changes ' +
    'the stock. If nothing is owed after the receipt, the return is completed immediately.',
  body: ReceiveReturnRequest,
  example: {
    body: { items: [{ id: returnExample.items[0]?.id, disposition: 'restocked' }] },
    data: receivedReturnExample,
  },
  async handle({ tx, params, body, staff }) {
    return respondWithReturn(tx, 200, await receive(tx, params.return_id, toArrivals(body), staff.name))
  },
})

export const restockReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/restock',
  audit: { action: 'postAdminReturnsReturnIdRestock', resource: 'returns' },
  summary: 'Put the goods of a return back in stock',
  description:
    'Restocks the units received as `restocked`, once. Units that a refund restocked before are not counted twice.',
  errors: [CommonErrors.notFound, ReturnErrors.notReceived, ReturnErrors.nothingToRestock],
  example: { data: restockedReturnExample },
  async handle({ tx, params, staff }) {
    return respondWithReturn(tx, 200, await restock(tx, params.return_id, staff.name))
  },
})

export const replaceReturn = endpoint({
  ...step,
  path: '/admin/returns/:return_id/replace',
  // It needs the right to refund, because it gives goods away.
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminReturnsReturnIdReplace', resource: 'returns' },
  summary: 'Replace the goods of a return',
  description:
    'Places a free order of the arrived units to the same address: `replacement_order_id`. Its stock is allocated at ' +
    'once, and it ships like any other order. If it was canceled, the goods can be replaced again. Units are not ' +
    'replaced when their price was refunded, and replaced units are not refunded.',
  errors: [
    CommonErrors.notFound,
    ReturnErrors.notReceived,
    ReturnErrors.otherAction,
    ReturnErrors.alreadyReplaced,
    ReturnErrors.alreadyRefunded,
    RefundErrors.inProgress,
    RefundErrors.replacedUnitsRefunded,
    DisputeErrors.orderDisputed,
    DisputeErrors.voucherPaidBack,
    ReturnErrors.notReplaceable,
    StockErrors.insufficientStock,
  ],
  example: { data: replacedReturnExample },
  async handle({ tx, params, staff }) {
    return respondWithReturn(tx, 200, await replace(tx, params.return_id, staff.name))
  },
})
