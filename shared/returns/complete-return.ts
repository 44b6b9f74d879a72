import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'
import type { RefundStatus } from '#shared/refunds/states.ts'
import { isReplaced } from './is-replaced.ts'
import { type LockedReturn, lockReturn } from './lock-return.ts'
import { moveReturn } from './move-return.ts'
import { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'
import type { Disposition, ReturnAction } from './states.ts'

/** How far the settling of received goods has come. */
export interface Settling {
  action: ReturnAction
  dispositions: readonly (Disposition | null)[]
  isRestocked: boolean
  refundStatus: RefundStatus | null
  isReplaced: boolean
}

/** Whether nothing is left to do: what is to be sold again is on the shelf, and the buyer got what they get. */
export function isSettled(settling: Settling): boolean {
  const { dispositions, isRestocked } = settling
  const isPutAway = isRestocked || !dispositions.includes('restocked')
  const hasArrived = dispositions.some((disposition) => disposition !== 'missing')
  // For goods that never arrived, nothing is owed.
  return isPutAway && (!hasArrived || MET[settling.action](settling))
}

/** Whether the buyer got what they get, by the action that a return is to end with. */
const MET: Record<ReturnAction, (settling: Settling) => boolean> = {
  refund: ({ refundStatus }) => refundStatus === 'succeeded',
  credit: ({ refundStatus }) => refundStatus === 'succeeded',
  replacement: ({ isReplaced }) => isReplaced,
  none: () => true,
}

/** Completes a received, locked return when nothing is left to do, and leaves any other as it is. */
export async function completeIfSettled(tx: StoreTx, locked: LockedReturn, actor: Actor): Promise<void> {
  const { rma } = locked
  if (rma.status !== 'received') return
  const items = await ReturnItem.in(tx).where('return_id', rma.id)
  const refund = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  const settling = {
    action: rma.action,
    dispositions: items.map(({ disposition }) => disposition),
    isRestocked: rma.restockedAt !== null,
    refundStatus: refund?.status ?? null,
    isReplaced: await isReplaced(tx, rma),
  }
  if (isSettled(settling)) await moveReturn(tx, locked, { to: 'completed', actor })
}

/** The same after a refund came to its end. A refund that is no return's is none of our business. */
export async function completeRefunded(tx: StoreTx, refundId: string): Promise<void> {
  const found = await Return.in(tx).findOne('refund_id', refundId)
  if (found) await completeIfSettled(tx, await lockReturn(tx, found.id), 'system')
}
