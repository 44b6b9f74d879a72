import { Order } from '#shared/orders/order.ts'
import { List } from '#shared/platform/db/list.ts'
import { type ListFilter, likePattern, type Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { viewReturns } from './load-views.ts'
import { Return } from './return.ts'
import type { ReturnStatus } from './states.ts'
import type { ReturnView } from './view.ts'

export interface ReturnFilter extends ListFilter {
  status?: ReturnStatus
  order_id?: string
  customer_id?: string
}

export const RETURNS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at' },
  order: '-created_at',
  searches: "Part of the return's or the order's number, or of a name or e-mail address of the order",
})

/** One page of the store's returns that match the filter, newest first by default, and their number. */
export async function listReturns(tx: StoreTx, filter: ReturnFilter): Promise<Page<ReturnView>> {
  const { results, total } = await RETURNS.page(matchingReturns(tx, filter), filter)
  return { results: await viewReturns(tx, results), total }
}

function matchingReturns(tx: StoreTx, filter: ReturnFilter) {
  const query = Return.in(tx)
  if (filter.status) query.where('status', filter.status)
  if (filter.order_id) query.where('order_id', filter.order_id)
  if (filter.customer_id) query.where('customer_id', filter.customer_id)
  if (filter.q) matchText(tx, query, likePattern(filter.q))
  return query
}

const matchText = (tx: StoreTx, query: ReturnType<typeof Return.query>, pattern: string) =>
  query.where((either) =>
    either
      .where('number', 'ilike', pattern)
      .orWhereIn('order_id', Order.in(tx).whereRaw(ORDER_MATCHES, [pattern]).select('id')),
  )

const ORDER_MATCHES = "concat_ws(' ', number, email, firstname, lastname) ilike ?"
