import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { recountCustomer } from '../figures/customer-figures.ts'
import { type LockedOrder, Order } from '../order.ts'
import type { LineUnits } from '../order-item.ts'

/** Units of a line that are refunded. */
export interface RefundedUnits extends LineUnits {
  /** The units among these that did not ship and no longer will. Default: none. */
  withdrawnQuantity?: number
}

interface RefundedPart {
  amountMinor: bigint
  units: readonly RefundedUnits[]
}

/** Adds a refunded amount, which can be 0, and its units to an order. Returns the changed order. */
export async function recordRefund(
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

/** Subtracts a recorded refund whose money came back. Returns the changed order. */
export const revertRefund = (
  tx: StoreTx,
  order: LockedOrder,
  { amountMinor, units }: RefundedPart,
): Promise<LockedOrder> =>
  recordRefund(tx, order, {
    amountMinor: -amountMinor,
    units: units.map(({ orderItemId, quantity, withdrawnQuantity = 0 }) => ({
      orderItemId,
      quantity: -quantity,
      withdrawnQuantity: -withdrawnQuantity,
    })),
  })
