import { countRefundAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { findSurplusRefundInProgress, insertSurplusRefund, lockSurplus } from './surplus-refund.ts'

/**
 * Refunds an owed surplus through the gateway. It changes nothing if a refund of the surplus is in progress or nothing
 * is owed, so repeated jobs return a surplus only once.
 */
export async function returnSurplus(tx: StoreTx, surplusId: string): Promise<void> {
  const surplus = await lockSurplus(tx, surplusId)
  if ((await findSurplusRefundInProgress(tx, surplusId)) || surplus.owedMinor === 0n) return
  const { paymentId, owedMinor: gatewayAmountMinor } = surplus
  const draft = { paymentId, gatewayAmountMinor, requestedBy: 'system', reason: 'Paid too much' } as const
  const refund = await insertSurplusRefund(tx, surplus, draft)
  await countRefundAttempt(tx, surplus)
  await enqueue(tx, sendRefund, { refundId: refund.id })
}
