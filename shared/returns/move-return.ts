import type { PartialModelObject } from 'objection'
import type { Actor } from '#shared/orders/actor.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { ReturnErrors } from './errors.ts'
import { emitReturnEvent } from './events.ts'
import type { LockedReturn } from './lock-return.ts'
import { Return } from './return.ts'
import { RETURN_TRANSITIONS, type ReturnStatus } from './states.ts'

/** When a return came to a status. */
const STAMP: Partial<Record<ReturnStatus, 'approvedAt' | 'receivedAt' | 'closedAt'>> = {
  approved: 'approvedAt',
  received: 'receivedAt',
  completed: 'closedAt',
  rejected: 'closedAt',
  canceled: 'closedAt',
}

interface ReturnStep {
  to: ReturnStatus
  actor: Actor
  /** What else changes with the status. */
  set?: PartialModelObject<Return>
}

/** Takes a locked return one step along its states: the row, its order's history, its event. */
export async function moveReturn(
  tx: StoreTx,
  { rma, order }: LockedReturn,
  { to, actor, set }: ReturnStep,
): Promise<void> {
  assertTransition(RETURN_TRANSITIONS, rma.status, to, ReturnErrors.invalidTransition)
  const at = nextUpdatedAt(rma)
  const stamp = STAMP[to]
  const changes = { ...set, status: to, updatedAt: at, ...(stamp ? { [stamp]: at } : {}) }
  await Return.in(tx).findById(rma.id).patch(changes)
  Object.assign(rma, changes)
  await addOrderNote(tx, order, `Return ${rma.number} ${to}`, actor)
  await emitReturnEvent(tx, rma.id, to)
}
