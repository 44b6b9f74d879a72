import { AuthErrors } from '../../accounts/errors.ts'
import { inMs, MINUTE_MS, now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { changeInStore, readInStore } from '../../platform/one-round-trip.ts'
import { knownRights, type Right } from '../roles.ts'
import { ApiTokenErrors } from './errors.ts'
import type { PresentedToken } from './token-text.ts'

const FIND_TOKEN = {
  name: 'find_api_token',
  text: `
    select id, to_json(rights), revoked_at is not null, coalesce(expires_at <= $2::timestamptz, false),
           last_used_at is null or last_used_at < $3::timestamptz
    from api_tokens
    where store_id = current_setting('app.store_id')::uuid and token_hash = decode($1, 'hex')`,
}

// Of many calls that find it due at once, the first one notes it.
const NOTE_USE = {
  name: 'note_api_token_use',
  text: `
    update api_tokens set last_used_at = $2::timestamptz
    where store_id = current_setting('app.store_id')::uuid and id = $1::uuid
      and (last_used_at is null or last_used_at < $3::timestamptz)`,
}

/** How old "last used" may grow before a call writes it again, so that calls do not all write one row. */
const LAST_USED_MS = MINUTE_MS

/**
 * Asks, on every call that brings one, what an API token may do, in one round trip. Throws `auth.not_authenticated`,
 * `auth.session_revoked` and `auth.token_expired`. Test tokens are not taken in production.
 */
export async function checkApiToken({
  storeId,
  mode,
  hash,
}: PresentedToken): Promise<{ id: string; rights: readonly Right[] }> {
  if (mode === 'test' && config().NODE_ENV === 'production') throw ApiTokenErrors.testOnly()
  const [at, due] = [now().toISOString(), inMs(-LAST_USED_MS).toISOString()]
  const [row] = await readInStore(storeId, FIND_TOKEN, [hash.toString('hex'), at, due])
  const [id, rights, isRevoked, isExpired, isDue] = row ?? []
  if (!id) throw AuthErrors.notAuthenticated()
  if (isRevoked === 't') throw ApiTokenErrors.revoked()
  if (isExpired === 't') throw ApiTokenErrors.expired()
  if (isDue === 't') await changeInStore(storeId, NOTE_USE, [id, at, due])
  return { id, rights: knownRights(JSON.parse(rights ?? '[]')) }
}
