import type { PartialModelObject } from 'objection'
import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
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
  const changes = { ...done, updatedAt: nextUpdatedAt(rma) }
  await Return.in(tx).findById(rma.id).patch(changes)
  Object.assign(rma, changes)
  await completeIfSettled(tx, locked, actor)
}
