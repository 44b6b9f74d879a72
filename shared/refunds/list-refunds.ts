import { Order } from '#shared/orders/order.ts'
import type { Page, Paged } from '#shared/platform/db/page.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
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
