import type { PartialModelObject } from 'objection'
import type { Actor } from '../orders/actor.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { completeIfSettled } from './complete-return.ts'
import type { LockedReturn } from './lock-return.ts'
import { Return } from './return.ts'

/** Writes down something that was done about a locked return; the last of it completes the return. */
export async function noteSettling(
  tx: StoreTx,
  locked: LockedReturn,
  done: PartialModelObject<Return>,
  actor: Actor,
): Promise<void> {
  const { rma } = locked
  const changes = { ...done, updatedAt: changedAt(rma) }
  await Return.in(tx).findById(rma.id).patch(changes)
  Object.assign(rma, changes)
  await completeIfSettled(tx, locked, actor)
}
