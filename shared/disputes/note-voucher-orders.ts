import { Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { UNSENT_ORDER_STATUSES } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOrderIdsPaidByVouchersOf } from '#shared/vouchers/redemptions/find-paying-voucher.ts'

/** Adds a note to the unsent orders that vouchers of a disputed order pay. */
export async function noteVoucherOrders(tx: StoreTx, disputedId: string, note: string): Promise<void> {
  const paying = await findOrderIdsPaidByVouchersOf(tx, disputedId)
  const orders = await Order.in(tx)
    .whereIn('id', paying)
    .whereIn('status', [...UNSENT_ORDER_STATUSES])
  for (const order of orders) await addHistoryNote(tx, order, note, 'gateway')
}
