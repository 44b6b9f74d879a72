import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { KeyErrors } from './errors.ts'
import { type IssuedKey, issuePublishableKey } from './issue-publishable-key.ts'
import { lockPublishableKey, PublishableKey } from './publishable-key.ts'

/**
 * Issues a key's successor with the same name, mode and origins. The old key works for another `overlapSeconds`. Throws
 * `publishable_key.not_active` if the key was already rotated.
 */
export async function rotatePublishableKey(
  tx: StoreTx,
  actorId: string | null,
  id: string,
  overlapSeconds: number,
): Promise<IssuedKey> {
  const key = await lockPublishableKey(tx, id)
  if (key.status !== 'active') throw KeyErrors.notActive({ status: key.status })
  await PublishableKey.in(tx)
    .findById(id)
    .patch({ rotatedAt: now(), expiresAt: inMs(overlapSeconds * SECOND_MS), updatedAt: nextUpdatedAt(key) })
  return issuePublishableKey(tx, actorId, key)
}
