import type { OrderActor } from '#shared/orders/actor.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { PartialModelObject } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { emitReturnEvent } from '#shared/returns/events.ts'
import { type LockedReturn, Return } from '#shared/returns/return.ts'
import { RETURN_TRANSITIONS, type ReturnStatus } from '#shared/returns/states.ts'

/** The column of the time at which a return reached a status. */
const TIME_COLUMN: Partial<Record<ReturnStatus, 'approvedAt' | 'receivedAt' | 'closedAt'>> = {
  approved: 'approvedAt',
  received: 'receivedAt',
  completed: 'closedAt',
  rejected: 'closedAt',
  canceled: 'closedAt',
}

interface ReturnTransition {
  to: ReturnStatus
  actor: OrderActor
  /** Other columns that change with the status. */
  set?: PartialModelObject<Return>
}

/**
 * Changes the status of a locked return, adds a note to its order's history and emits its event. Returns the changed
 * return.
 */
export async function transitionReturn(
  tx: StoreTx,
  { rma, order }: LockedReturn,
  { to, actor, set }: ReturnTransition,
): Promise<LockedReturn> {
  assertTransition(RETURN_TRANSITIONS, rma.status, to, ReturnErrors.invalidTransition)
  const at = nextUpdatedAt(rma)
  const timeColumn = TIME_COLUMN[to]
  const changes = { ...set, status: to, updatedAt: at, ...(timeColumn ? { [timeColumn]: at } : {}) }
  await Return.in(tx).findById(rma.id).patch(changes)
  await addHistoryNote(tx, order, `Return ${rma.number} ${to}`, actor, { returnId: rma.id })
  await emitReturnEvent(tx, rma.id, to)
  return { order, rma: rma.with(changes) }
}
