import { Order } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOrderIdsPaidBy } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { settleCommission } from './settle-commission.ts'

/** Updates the commissions of all orders that a voucher pays, each in a transaction of its own. */
export async function settleCommissionsOfVoucher(
  storeId: string,
  voucherId: string,
  signal: AbortSignal,
): Promise<void> {
  const orderIds = await inStore(storeId, (tx) => findOrdersOfAffiliates(tx, voucherId))
  for (const orderId of orderIds) {
    signal.throwIfAborted()
    await inStore(storeId, (tx) => settleCommission(tx, orderId))
  }
}

async function findOrdersOfAffiliates(tx: StoreTx, voucherId: string): Promise<string[]> {
  const paid = await findOrderIdsPaidBy(tx, voucherId)
  const orders = await Order.in(tx)
    .whereRaw('id = any(?)', [paid])
    .whereNotNull('affiliate_id')
    .orderBy('id')
    .select('id')
  return orders.map(({ id }) => id)
}
