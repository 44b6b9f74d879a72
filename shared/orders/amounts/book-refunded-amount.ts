import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { type LockedOrder, Order } from '#shared/orders/order.ts'
import type { LineUnits } from '#shared/orders/order-item.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The refunded units of a line. */
export interface RefundedUnits extends LineUnits {
  /** How many of these have not shipped and no longer will. Default: 0. */
  withdrawnQuantity?: number
}

interface RefundedPart {
  amountMinor: bigint
  units: readonly RefundedUnits[]
}

/** Books a refunded amount, which can be 0, and its units on an order. Returns the changed order. */
export async function bookRefundedAmount(
  tx: StoreTx,
  order: LockedOrder,
  { amountMinor, units }: RefundedPart,
): Promise<LockedOrder> {
  const changes = {
    amountRefundedMinor: order.amountRefundedMinor + amountMinor,
    updatedAt: nextUpdatedAt(order),
  }
  await Order.in(tx).findById(order.id).patch(changes)
  recountCustomer(tx, order.customerId)
  for (const { orderItemId, quantity, withdrawnQuantity = 0 } of units)
    await tx
      .knex('order_items')
      .where({ store_id: tx.storeId, id: orderItemId })
      .increment({ refunded_quantity: quantity, withdrawn_quantity: withdrawnQuantity })
  return order.with(changes)
}

/** Subtracts a booked refund whose money came back. Returns the changed order. */
export const revertRefundedAmount = (
  tx: StoreTx,
  order: LockedOrder,
  { amountMinor, units }: RefundedPart,
): Promise<LockedOrder> =>
  bookRefundedAmount(tx, order, {
    amountMinor: -amountMinor,
    units: units.map(({ orderItemId, quantity, withdrawnQuantity = 0 }) => ({
      orderItemId,
      quantity: -quantity,
      withdrawnQuantity: -withdrawnQuantity,
    })),
  })
