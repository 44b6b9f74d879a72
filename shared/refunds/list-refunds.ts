import { Order } from '#shared/orders/order.ts'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Refund } from './refund.ts'

export const REFUNDS = new List({
  sorts: { created_at: 'created_at', amount: 'amount_minor' },
  order: '-created_at',
  searches: "Part of the reason or the gateway's id",
  text: ['reason', 'gateway_reference'],
})

/**
 * Returns one page of an order's refunds, by default newest first, and their number. Throws `resource.not_found` for an
 * unknown order.
 */
export async function listRefunds(tx: StoreTx, orderId: string, filter: ListFilter): Promise<Page<Refund>> {
  if (!(await Order.in(tx).findById(orderId).select('id'))) throw CommonErrors.notFound()
  return REFUNDS.page(Refund.in(tx).where('order_id', orderId), filter)
}
