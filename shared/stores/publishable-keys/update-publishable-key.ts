import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { KeyErrors } from './errors.ts'
import { parseOrigins } from './origin.ts'
import { lockPublishableKey, PublishableKey } from './publishable-key.ts'

/** Omitted fields keep their value. */
export interface KeyChange {
  name?: string | null
  allowedOrigins?: string[]
}

/**
 * Changes a key's name or allowed origins from the next request on. Throws `publishable_key.not_active` and
 * `resource.changed`.
 */
export async function updatePublishableKey(
  tx: StoreTx,
  id: string,
  { name, allowedOrigins: origins }: KeyChange,
  ifMatch: string | undefined,
): Promise<PublishableKey> {
  const key = await lockPublishableKey(tx, id)
  assertUnchanged(key, ifMatch)
  if (!key.isUsable) throw KeyErrors.notActive({ status: key.status })
  return PublishableKey.in(tx).patchAndFetchById(id, {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { allowedOrigins: parseOrigins(origins) }),
    updatedAt: nextUpdatedAt(key),
  })
}
