import type { Actor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { type MismatchDecision, resolveMismatch } from '#shared/payments/resolve-mismatch.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from './apply-excess.ts'

/**
 * Decides about a mismatched payment, and books the refunds that the gateway made of it before. Throws like
 * `resolveMismatch`.
 */
export async function decideMismatch(
  tx: StoreTx,
  payment: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: Actor,
): Promise<void> {
  await resolveMismatch(tx, payment, actor)
  await applyExcess(tx, await lockOrder(tx, payment.orderId))
}
