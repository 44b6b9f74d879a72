import { closeStore } from '#shared/identity/close-store.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { actAsOwner } from './act-as-owner.ts'

/** Deletes the store in its owner's name; everybody else is told `user.owner_only`. */
export async function closeOwnStore(tx: StoreTx, actorId: string): Promise<void> {
  await actAsOwner(tx, actorId)
  await closeStore(tx)
}
