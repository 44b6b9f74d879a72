import { AuthErrors } from '#shared/identity/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { executeInStore, readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { knownRights, type Right, rightsOf } from '../roles.ts'
import { ApiTokenErrors } from './errors.ts'
import type { PresentedToken } from './token-text.ts'

const FIND_TOKEN = {
  name: 'find_api_token',
  text: `
    select t.id, to_json(t.rights), t.revoked_at is not null, coalesce(t.expires_at <= $2::timestamptz, false),
           t.last_used_at is null or t.last_used_at < $3::timestamptz, m.role, to_json(r.rights)
    from api_tokens t
    left join staff_members m on m.store_id = t.store_id and m.id = t.created_by and m.is_active
    left join roles r on r.store_id = m.store_id and r.name = m.role
    where t.store_id = ${CURRENT_STORE} and t.token_hash = decode($1, 'hex')`,
}

// Of many calls that find it due at once, the first one notes it.
const NOTE_USE = {
  name: 'note_api_token_use',
  text: `
    update api_tokens set last_used_at = $2::timestamptz
    where store_id = ${CURRENT_STORE} and id = $1::uuid
      and (last_used_at is null or last_used_at < $3::timestamptz)`,
}

/** How old "last used" may grow before a call writes it again, so that calls do not all write one row. */
const LAST_USED_MS = MINUTE_MS

/**
 * Asks, on every call that brings one, what an API token may do, in one round trip: what it was given, as far as its
 * maker may still do it. Whoever is demoted or leaves can so keep nothing by a token made before. Throws `auth.not_authenticated`,
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
  const [id, rights, isRevoked, isExpired, isDue, role, ownRights] = row ?? []
  if (!id) throw AuthErrors.notAuthenticated()
  if (isRevoked === 't' || !role) throw ApiTokenErrors.revoked()
  if (isExpired === 't') throw ApiTokenErrors.expired()
  if (isDue === 't') await executeInStore(storeId, NOTE_USE, [id, at, due])
  const makers = rightsOf(role, ownRights ? JSON.parse(ownRights) : null)
  return { id, rights: knownRights(JSON.parse(rights ?? '[]')).filter((right) => makers.includes(right)) }
}
