import { countReturnAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { findReturnInProgress, insertReturn, lockSurplus } from './surplus-refund.ts'

/**
 * Starts the refund of an owed surplus. It changes nothing if a refund of the surplus is in progress or nothing is
 * owed, so repeated jobs return a surplus only once.
 */
export async function returnSurplus(tx: StoreTx, surplusId: string): Promise<void> {
  const surplus = await lockSurplus(tx, surplusId)
  if ((await findReturnInProgress(tx, surplusId)) || surplus.owedMinor === 0n) return
  const { paymentId, owedMinor } = surplus
  const atGateway = { paymentId, gatewayAmountMinor: owedMinor, requestedBy: 'system' } as const
  const refund = await insertReturn(tx, surplus, { ...atGateway, reason: 'Paid too much' })
  await countReturnAttempt(tx, surplus)
  await enqueue(tx, sendRefund, { refundId: refund.id })
}
