import { Order } from '../orders/order.ts'
import { CommonErrors } from '../platform/errors.ts'
import type { Page, Paged } from '../platform/page.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Refund } from './refund.ts'

/** One page of an order's refunds, newest first, and how many there are. Unknown order: 404. */
export async function listRefunds(
  tx: StoreTx,
  orderId: string,
  { page, page_size }: Paged,
): Promise<Page<Refund>> {
  if (!(await Order.in(tx).findById(orderId).select('id'))) throw CommonErrors.notFound()
  return Refund.in(tx)
    .where('order_id', orderId)
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
}
