import { staff } from '#api/platform/auth/access.ts'
import { isSupport } from '#api/platform/auth/assert-not-support.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { awaitRefund } from '#shared/refunds/await-refund.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { refundReturn as refundGoods } from '#shared/returns/lifecycle/refund-return.ts'
import { findReturn } from '#shared/returns/return.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { refundedReturnExample } from './examples.ts'
import { toReturnRefund } from './read-request.ts'
import { respondWithReturn } from './respond-with-return.ts'
import { RefundReturnRequest, ReturnParams } from './schemas.ts'

export const refundReturn = endpoint({
  method: 'post',
  path: '/admin/returns/:return_id/refund',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminReturnsReturnIdRefund', resource: 'returns' },
  summary: 'Refund the goods of a return',
  description:
    'The paid price of the arrived units less `fee_amount`, once. With the action `credit` the buyer gets a gift ' +
    'voucher by mail instead of money. 201: the refund has ended with `refund.status`. 202: it is in progress at the ' +
    'payment gateway; the event `order.refunded` or `order.refund_failed` follows, and `return.completed` when the ' +
    'return is settled. After a failed refund, request another. Units that were refunded or replaced without the ' +
    'return are left out. If no unit is left, the response is `return.already_refunded`.',
  params: ReturnParams,
  body: RefundReturnRequest,
  idempotency: 'required',
  returns: [201, 202, ReturnView],
  errors: [
    CommonErrors.notFound,
    AuthErrors.supportForbidden,
    ReturnErrors.notReceived,
    ReturnErrors.otherAction,
    ReturnErrors.alreadyRefunded,
    DisputeErrors.orderDisputed,
    DisputeErrors.voucherPaidBack,
    RefundErrors.nothingToRefund,
    RefundErrors.exceedsPaid,
    RefundErrors.voucherSpent,
    RefundErrors.unitsReplaced,
    RefundErrors.inProgress,
    RefundErrors.limitReached,
  ],
  example: { body: { shipping_amount: 4.9, fee_amount: 2 }, data: refundedReturnExample },
  async handle({ tx, store, params, body, staff }) {
    const request = toReturnRefund(body, store.currency)
    const mayCredit = !isSupport(staff)
    const issued = await refundGoods(tx, params.return_id, { ...request, mayCredit }, staff.name)
    return issued.id
  },
  async respond({ store, params, request }, refundId) {
    const refund = await awaitRefund(store.id, refundId, preferWait(request))
    const status = refund.isInProgress ? 202 : 201
    return inStore(store.id, async (tx) =>
      respondWithReturn(tx, status, await findReturn(tx, params.return_id)),
    )
  },
})
