import { now } from '../platform/clock.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { lockKey } from './find-key.ts'
import { PublishableKey } from './publishable-key.ts'

/** Ends a key at once: the next request with it is refused. One that was revoked before stays as it is. */
export async function revokeKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  const key = await lockKey(tx, id)
  if (key.revokedAt) return key
  return PublishableKey.in(tx).patchAndFetchById(id, { revokedAt: now(), updatedAt: changedAt(key) })
}
