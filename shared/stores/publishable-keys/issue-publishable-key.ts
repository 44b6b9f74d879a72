import { config } from '#shared/platform/config/config.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { KeyErrors } from './errors.ts'
import { hintOf, makePublishableKey } from './key-format.ts'
import { parseOrigins } from './origin.ts'
import { type KeyMode, PublishableKey, usableKeys } from './publishable-key.ts'
import { deleteSurplusPublishableKeys } from './purge-ended-publishable-keys.ts'

export interface NewKey {
  mode: KeyMode
  name?: string | null
  /** The allowed origins; empty for any. */
  allowedOrigins?: string[]
}

/** A new key with its text, which is not stored. */
export interface IssuedKey {
  issued: PublishableKey
  key: string
}

/** The most usable keys of a store. Each has its own limit of requests, so their number bounds those of the store. */
export const MAX_KEYS = 20

/**
 * Issues a publishable key for the transaction's store, which keeps its last 100 ended keys. Throws
 * `publishable_key.limit_reached`, and 422 for a test key in production.
 */
export async function issuePublishableKey(
  tx: StoreTx,
  actorId: string | null,
  { mode, name = null, allowedOrigins = [] }: NewKey,
): Promise<IssuedKey> {
  if (mode === 'test' && config().NODE_ENV === 'production')
    throw invalid(['mode'], 'Production refuses test keys, so it issues none', mode)
  await assertBelowLimit(tx, usableKeys(tx), MAX_KEYS, KeyErrors.limitReached)
  await deleteSurplusPublishableKeys(tx)
  const { slug } = await tx.knex('stores').where('id', tx.storeId).first('slug')
  const key = makePublishableKey(mode, slug)
  const at = now()
  const issued = await PublishableKey.in(tx)
    .insert({
      keyHash: sha256(key),
      name,
      hint: hintOf(key),
      mode,
      allowedOrigins: parseOrigins(allowedOrigins),
      createdBy: actorId,
      createdAt: at,
      updatedAt: at,
    })
    .returning('*')
  return { issued, key }
}
