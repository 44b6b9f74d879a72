import type { OrderActor } from '#shared/orders/actor.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { applyDecision, type MismatchDecision } from '#shared/payments/capture/apply-decision.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from './apply-excess.ts'

/**
 * Decides about a mismatched payment, and books the refunds that the gateway made of it before. Throws like
 * `applyDecision`.
 */
export async function resolveMismatch(
  tx: StoreTx,
  payment: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: OrderActor,
): Promise<void> {
  await applyDecision(tx, payment, actor)
  await applyExcess(tx, await lockOrder(tx, payment.orderId))
}

/**
 * Returns the mismatched payments of an order when it is canceled: nothing is left to decide, because an acceptance
 * would return the money, too.
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
