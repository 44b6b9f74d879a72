import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockPublishableKey, PublishableKey } from './publishable-key.ts'

/** Revokes a key. The next request with it is refused. A repeat changes nothing. */
export async function revokePublishableKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  const key = await lockPublishableKey(tx, id)
  if (key.revokedAt) return key
  return PublishableKey.in(tx).patchAndFetchById(id, { revokedAt: now(), updatedAt: nextUpdatedAt(key) })
}
