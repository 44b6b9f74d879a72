import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Ends the review of a mismatched payment, after staff have decided about its money. */
export async function endMismatch(tx: StoreTx, paymentId: string): Promise<void> {
  await Payment.in(tx)
    .where({ id: paymentId, status: 'mismatched' })
    .patch({ status: 'captured', updatedAt: now() })
}
