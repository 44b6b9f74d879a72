import { findPayment, findPaymentsOpenAtGateway, type Payment } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { closeAtGateway } from './close-at-gateway.ts'

/**
 * Closes the other payments of an order at the gateway before a pending payment is sent there. If one was captured in
 * between, it pays the order, and the pending payment is canceled.
 */
export async function closeEarlierPayments(storeId: string, paymentId: string): Promise<void> {
  const earlier = await inStore(storeId, (tx) => findEarlierPayments(tx, paymentId))
  for (const payment of earlier) await closeAtGateway(payment)
}

async function findEarlierPayments(tx: StoreTx, paymentId: string): Promise<Payment[]> {
  const payment = await findPayment(tx, paymentId)
  if (payment?.status !== 'pending' || payment.gatewayReference) return []
  const open = await findPaymentsOpenAtGateway(tx, payment.orderId)
  return open.filter(({ id }) => id !== paymentId)
}
