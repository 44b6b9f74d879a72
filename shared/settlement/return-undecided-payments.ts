import type { LockedOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { resolveMismatch } from './resolve-mismatch.ts'

/**
 * Pays back the mismatched payments of a canceled order. Staff need not decide: the money would go back even if they
 * accepted it.
 */
export async function returnUndecidedPayments(
  tx: StoreTx,
  { id: orderId, status }: LockedOrder,
): Promise<void> {
  if (status !== 'canceled') return
  const undecided = await Payment.in(tx).where({ order_id: orderId, status: 'mismatched' }).select('id')
  for (const { id: paymentId } of undecided)
    await resolveMismatch(tx, { orderId, paymentId, decision: 'return' }, 'system')
}
