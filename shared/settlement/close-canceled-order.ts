import { lockOrder } from '#shared/orders/order.ts'
import { cancelCardSetups } from '#shared/payments/close/cancel-card-setups.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { returnUndecidedPayments } from './return-undecided-payments.ts'

/**
 * Cancels the payments and card setups of a canceled order, and pays back its mismatched payments. An order with
 * another status stays as it is.
 */
export async function closeCanceledOrder(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'canceled') return
  await cancelPayments(tx, orderId)
  await cancelCardSetups(tx, { orderId })
  await returnUndecidedPayments(tx, order)
}
