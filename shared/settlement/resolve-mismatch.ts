import type { OrderActor } from '#shared/orders/actor.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import {
  applyMismatchDecision,
  type MismatchDecision,
} from '#shared/payments/capture/apply-mismatch-decision.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'

/**
 * Applies a decision about a mismatched payment. Then books earlier refunds of it by the gateway. Throws like
 * `applyMismatchDecision`.
 */
export async function resolveMismatch(
  tx: StoreTx,
  payment: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: OrderActor,
): Promise<void> {
  await applyMismatchDecision(tx, payment, actor)
  await bookExcess(tx, await lockOrder(tx, payment.orderId))
}

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
