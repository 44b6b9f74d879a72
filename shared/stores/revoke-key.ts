import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockKey } from './find-key.ts'
import { PublishableKey } from './publishable-key.ts'

/** Ends a key at once: the next request with it is refused. One that was revoked before stays as it is. */
export async function revokeKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  const key = await lockKey(tx, id)
  if (key.revokedAt) return key
  return PublishableKey.in(tx).patchAndFetchById(id, { revokedAt: now(), updatedAt: nextUpdatedAt(key) })
}
