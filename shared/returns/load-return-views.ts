import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'
import { type ReturnView, viewReturn } from './view.ts'

/**
 * Returns the views of returns in the same sequence. The number of queries hardly depends on the number of returns.
 */
export async function loadReturnViews(tx: StoreTx, rmas: Return[]): Promise<ReturnView[]> {
  const items = await readInPieces(ReturnItem.in(tx).whereIn('return_id', idsOf(rmas)), [
    'returnId',
    'position',
    'id',
  ])
  const lineIds = items.map(({ orderItemId }) => orderItemId)
  const lines = await readInPieces(OrderItem.in(tx).whereRaw('id = any(?)', [lineIds]), ['id'])
  const orders = await Order.in(tx).whereIn(
    'id',
    rmas.map(({ orderId }) => orderId),
  )
  const refunds = await Refund.in(tx).whereIn(
    'id',
    rmas.flatMap(({ refundId }) => refundId ?? []),
  )
  const sources = {
    orders: byId(orders),
    items: Map.groupBy(items, ({ returnId }) => returnId),
    lines: byId(lines),
    refunds: byId(refunds),
  }
  return rmas.map((rma) => viewReturn(rma, sources))
}

/** Returns the view of an existing return. */
export async function loadReturnView(tx: StoreTx, returnId: string): Promise<ReturnView> {
  const rma = await Return.in(tx).findById(returnId).throwIfNotFound()
  const [view] = await loadReturnViews(tx, [rma])
  return view as ReturnView
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const byId = <R extends { id: string }>(rows: R[]) => new Map(rows.map((row) => [row.id, row]))
