import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'
import { type RefundOutcome, settleRefund } from './settle-refund.ts'

/** What a gateway tells of a refund by itself. `refundId` is what its metadata names; null: made elsewhere. */
export interface RefundNotification extends RefundOutcome {
  refundId: string | null
}

/** Takes in a gateway's notification of a refund. One that is not of this store, or was made elsewhere, is left alone. */
export async function applyRefundNotification(
  tx: StoreTx,
  { refundId, ...outcome }: RefundNotification,
): Promise<void> {
  const refund = refundId && isUuid(refundId) ? await Refund.in(tx).findById(refundId) : undefined
  if (refund) await settleRefund(tx, refund.id, outcome)
}
