import { lockOrder } from '#shared/orders/lock-order.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Payment } from './payment.ts'

/** A payment with its order, both kept from change; undefined when the store has no such payment. */
export async function lockPayment(
  tx: StoreTx,
  paymentId: string,
): Promise<{ payment: Payment; order: Order } | undefined> {
  const found = await Payment.in(tx).findById(paymentId).select('order_id')
  if (!found) return undefined
  // The order first, as everyone does: it is the lock that money and stock hang on.
  const order = await lockOrder(tx, found.orderId)
  const payment = await Payment.in(tx).findById(paymentId).forNoKeyUpdate().throwIfNotFound()
  return { payment, order }
}
