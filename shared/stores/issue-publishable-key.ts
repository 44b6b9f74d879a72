import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { hintOf, type KeyMode, makePublishableKey } from './key-format.ts'
import { readOrigins } from './origin.ts'
import { PublishableKey } from './publishable-key.ts'

export interface NewKey {
  mode: KeyMode
  name?: string | null
  /** None: any origin. */
  allowedOrigins?: string[]
}

/** A key as it was issued: its text is returned here and never again. */
export interface IssuedKey {
  issued: PublishableKey
  key: string
}

/** Issues a publishable key of the transaction's store. */
export async function issuePublishableKey(
  tx: StoreTx,
  { mode, name = null, allowedOrigins = [] }: NewKey,
): Promise<IssuedKey> {
  if (mode === 'test' && config().NODE_ENV === 'production')
    throw invalid(['mode'], 'Test keys are refused in production, so none are issued here', mode)
  const { slug } = await tx.knex('stores').where('id', tx.storeId).first('slug')
  const key = makePublishableKey(mode, slug)
  const at = now()
  const issued = await PublishableKey.in(tx)
    .insert({
      keyHash: sha256(key),
      name,
      hint: hintOf(key),
      mode,
      allowedOrigins: readOrigins(allowedOrigins),
      createdAt: at,
      updatedAt: at,
    })
    .returning('*')
  return { issued, key }
}
