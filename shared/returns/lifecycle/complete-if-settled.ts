import type { OrderActor } from '#shared/orders/actor.ts'
import type { PartialModelObject } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'
import type { RefundStatus } from '#shared/refunds/states.ts'
import { isReplaced, type LockedReturn, Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import type { Disposition, ReturnAction } from '#shared/returns/states.ts'
import { findOwedUnits } from './find-owed-units.ts'
import { transitionReturn } from './transition-return.ts'

/** The progress of a return whose goods arrived. */
export interface ReturnProgress {
  action: ReturnAction
  dispositions: readonly (Disposition | null)[]
  isRestocked: boolean
  refundStatus: RefundStatus | null
  /** Whether some arrived units are neither refunded nor replaced. */
  isOwed: boolean
  isReplaced: boolean
}

/** Whether sellable units are back in stock, and the return's action is fulfilled. */
export function isSettled(progress: ReturnProgress): boolean {
  const { dispositions, isRestocked } = progress
  const isInStock = isRestocked || !dispositions.includes('restocked')
  const hasArrived = dispositions.some((disposition) => disposition !== 'missing')
  // Without arrived goods the store owes nothing.
  return isInStock && (!hasArrived || IS_FULFILLED[progress.action](progress))
}

/** Whether the return's refund succeeded, or other refunds paid for its units. */
function isPaid({ refundStatus, isOwed }: ReturnProgress): boolean {
  return refundStatus === 'succeeded' || !isOwed
}

/** Whether the action of a return is fulfilled. */
const IS_FULFILLED: Record<ReturnAction, (progress: ReturnProgress) => boolean> = {
  refund: isPaid,
  credit: isPaid,
  replacement: ({ isReplaced }) => isReplaced,
  none: () => true,
}

/** Whether some arrived units are neither refunded nor replaced. The buyer of a canceled order has paid nothing. */
const isOwed = async (tx: StoreTx, { rma, order }: LockedReturn): Promise<boolean> =>
  order.status !== 'canceled' && (await findOwedUnits(tx, order, rma.id)).length > 0

/** Completes a locked return if it is received and settled. Returns its present state. */
export async function completeIfSettled(
  tx: StoreTx,
  locked: LockedReturn,
  actor: OrderActor,
): Promise<Return> {
  const { rma } = locked
  if (rma.status !== 'received') return rma
  const items = await ReturnItem.in(tx).where('return_id', rma.id)
  const refund = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  const progress = {
    action: rma.action,
    dispositions: items.map(({ disposition }) => disposition),
    isRestocked: rma.restockedAt !== null,
    refundStatus: refund?.status ?? null,
    isOwed: await isOwed(tx, locked),
    isReplaced: await isReplaced(tx, rma),
  }
  if (!isSettled(progress)) return rma
  return (await transitionReturn(tx, locked, { to: 'completed', actor })).rma
}

/** Updates a locked return, and completes it if it is settled. Returns its present state. */
export async function recordReturnProgress(
  tx: StoreTx,
  locked: LockedReturn,
  done: PartialModelObject<Return>,
  actor: OrderActor,
): Promise<Return> {
  const { rma, order } = locked
  const changes = { ...done, updatedAt: nextUpdatedAt(rma) }
  await Return.in(tx).findById(rma.id).patch(changes)
  return completeIfSettled(tx, { order, rma: rma.with(changes) }, actor)
}
