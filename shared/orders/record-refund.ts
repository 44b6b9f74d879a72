import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { Order } from './order.ts'
import { OrderItem } from './order-item.ts'

export interface RefundedUnits {
  orderItemId: string
  quantity: number
}

/**
 * Adds a refunded amount and its units to an order, which the caller has locked. A negative amount reverts a refund
 * whose money came back.
 */
export async function recordRefund(
  tx: StoreTx,
  order: Order,
  amountMinor: bigint,
  units: RefundedUnits[],
): Promise<void> {
  order.amountRefundedMinor += amountMinor
  order.updatedAt = nextUpdatedAt(order)
  const { amountRefundedMinor, updatedAt } = order
  await Order.in(tx).findById(order.id).patch({ amountRefundedMinor, updatedAt })
  const sign = amountMinor < 0n ? -1 : 1
  for (const { orderItemId, quantity } of units)
    await OrderItem.in(tx)
      .where('id', orderItemId)
      .increment('refunded_quantity', sign * quantity)
}
