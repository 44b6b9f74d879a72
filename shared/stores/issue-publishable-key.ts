import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import { db } from '../platform/db.ts'
import { newId } from '../platform/id.ts'
import { makePublishableKey } from './publishable-key.ts'

/** Issues a publishable key of a store. It is returned here and kept as a hash. No origins: any may use it. */
export async function issuePublishableKey(
  store: { id: string; slug: string },
  mode: 'live' | 'test',
  allowedOrigins: string[] = [],
): Promise<string> {
  const key = makePublishableKey(mode, store.slug)
  await db()('publishable_keys').insert({
    id: newId(),
    store_id: store.id,
    key_hash: sha256(key),
    hint: `${key.slice(0, -36)}…${key.slice(-4)}`,
    mode,
    allowed_origins: allowedOrigins,
    created_at: now(),
  })
  return key
}
