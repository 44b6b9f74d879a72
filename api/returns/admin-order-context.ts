import { staff } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ReturnOrderContext, readOrderContext } from '#shared/returns/request/order-context.ts'
import { orderContextExample } from './examples.ts'
import { toNullableId } from './read-request.ts'
import { OrderContextParams, OrderContextQuery } from './schemas.ts'

export const readReturnOrderContext = endpoint({
  method: 'get',
  path: '/admin/returns/order-context/:order_id',
  access: staff('sales:read'),
  audit: { action: 'getAdminReturnsOrderContextOrderId', resource: 'orders' },
  summary: 'Read the data of a return form',
  description:
    'The lines of the order with their returnable units: ordered units less those on returns that are neither ' +
    'rejected nor canceled. Units that were refunded without a return are still returnable, but not refunded twice. ' +
    '`exclude_return_id` is the id of the return that is being edited; an empty value or `null` means none. A return ' +
    'of another order is rejected with `validation.failed`, an unknown order with 404.',
  params: OrderContextParams,
  query: OrderContextQuery,
  returns: [200, ReturnOrderContext],
  errors: [CommonErrors.notFound],
  example: { data: orderContextExample },
  async handle({ tx, store, params, query }) {
    const request = {
      orderId: params.order_id,
      excludeReturnId: toNullableId(query.exclude_return_id),
      timeZone: store.timeZone,
    }
    return inQuery(() => readOrderContext(tx, request))
  },
})
