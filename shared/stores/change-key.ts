import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { KeyErrors } from './errors.ts'
import { lockKey } from './find-key.ts'
import { readOrigins } from './origin.ts'
import { PublishableKey } from './publishable-key.ts'

/** What may be changed of a key; what is left out stays. */
export interface KeyChange {
  name?: string | null
  allowedOrigins?: string[]
}

/** Changes a key's name or its origins, from the next request on. Throws `publishable_key.not_active`. */
export async function changeKey(
  tx: StoreTx,
  id: string,
  { name, allowedOrigins: origins }: KeyChange,
  ifMatch: string | undefined,
): Promise<PublishableKey> {
  const key = await lockKey(tx, id)
  assertUnchanged(key, ifMatch)
  if (!key.isUsable) throw KeyErrors.notActive({ status: key.status })
  return PublishableKey.in(tx).patchAndFetchById(id, {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { allowedOrigins: readOrigins(origins) }),
    updatedAt: nextUpdatedAt(key),
  })
}
