import type { Actor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { applyDecision, type MismatchDecision } from '#shared/payments/apply-decision.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from './apply-excess.ts'

/**
 * Decides about a mismatched payment, and books the refunds that the gateway made of it before. Throws like
 * `applyDecision`.
 */
export async function resolveMismatch(
  tx: StoreTx,
  payment: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: Actor,
): Promise<void> {
  await applyDecision(tx, payment, actor)
  await applyExcess(tx, await lockOrder(tx, payment.orderId))
}
