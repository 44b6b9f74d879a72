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

/** Adds an amount in minor units to the refunded amount of an order. Returns the changed order. */
export async function bookRefundedAmount(
  tx: StoreTx,
  order: LockedOrder,
  amountMinor: bigint,
): Promise<LockedOrder> {
  const changes = {
    amountRefundedMinor: order.amountRefundedMinor + amountMinor,
    updatedAt: nextUpdatedAt(order),
  }
  await Order.in(tx).findById(order.id).patch(changes)
  recountCustomer(tx, order.customerId)
  return order.with(changes)
}

/** Books units of an order as refunded. Returns the changed order. */
export async function bookRefundedUnits(
  tx: StoreTx,
  order: LockedOrder,
  units: readonly RefundedUnits[],
): Promise<LockedOrder> {
  if (units.length === 0) return order
  const changes = { updatedAt: nextUpdatedAt(order) }
  await Order.in(tx).findById(order.id).patch(changes)
  await incrementUnits(tx, units)
  return order.with(changes)
}

async function incrementUnits(tx: StoreTx, units: readonly RefundedUnits[]): Promise<void> {
  for (const { orderItemId, quantity, withdrawnQuantity = 0 } of units)
    await tx
      .knex('order_items')
      .where({ store_id: tx.storeId, id: orderItemId })
      .increment({ refunded_quantity: quantity, withdrawn_quantity: withdrawnQuantity })
}

/** Subtracts a booked refund, and its units, whose money came back. Returns the changed order. */
export async function revertRefundedAmount(
  tx: StoreTx,
  order: LockedOrder,
  { amountMinor, units = [] }: { amountMinor: bigint; units?: readonly RefundedUnits[] },
): Promise<LockedOrder> {
  const reverted = units.map(({ orderItemId, quantity, withdrawnQuantity = 0 }) => ({
    orderItemId,
    quantity: -quantity,
    withdrawnQuantity: -withdrawnQuantity,
  }))
  await incrementUnits(tx, reverted)
  return bookRefundedAmount(tx, order, -amountMinor)
}
