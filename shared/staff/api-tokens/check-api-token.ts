import { AuthErrors } from '#shared/identity/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { executeInStore, readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { knownRights, type Right, rightsOf } from '#shared/staff/rights.ts'
import type { PresentedToken } from './token-text.ts'

const FIND_TOKEN = {
  name: 'find_api_token',
  text: `
    select t.id, to_json(t.rights), t.revoked_at is not null, coalesce(t.expires_at <= $2::timestamptz, false),
           t.last_used_at is null or t.last_used_at < $3::timestamptz, m.role, to_json(r.rights),
           t.created_by
    from api_tokens t
    left join staff_members m on m.store_id = t.store_id and m.id = t.created_by and m.is_active
    left join roles r on r.store_id = m.store_id and r.name = m.role
    where t.store_id = ${CURRENT_STORE} and t.token_hash = decode($1, 'hex')`,
}

// Only one of several concurrent calls updates the time.
const UPDATE_LAST_USED = {
  name: 'update_api_token_last_used',
  text: `
    update api_tokens set last_used_at = $2::timestamptz
    where store_id = ${CURRENT_STORE} and id = $1::uuid
      and (last_used_at is null or last_used_at < $3::timestamptz)`,
}

/** The minimum age of `lastUsedAt` before a call updates it, so that not every call writes the row. */
const LAST_USED_MS = MINUTE_MS

/**
 * Checks an API token in one round trip. Returns the staff member who created it, and the token's rights that the
 * creator still has, so that a demoted or removed person keeps no access. Throws `auth.not_authenticated`,
 * `auth.session_revoked` and `auth.token_expired`. Production refuses test tokens.
 */
export async function checkApiToken({
  storeId,
  mode,
  hash,
}: PresentedToken): Promise<{ id: string; createdBy: string; rights: readonly Right[] }> {
  if (mode === 'test' && config().NODE_ENV === 'production') throw ApiTokenErrors.testOnly()
  const at = now().toISOString()
  const dueBefore = inMs(-LAST_USED_MS).toISOString()
  const [row] = await readInStore(storeId, FIND_TOKEN, [hash.toString('hex'), at, dueBefore])
  const [id, rights, isRevoked, isExpired, isUseDue, role, customRights, createdBy] = row ?? []
  if (!id || !createdBy) throw AuthErrors.notAuthenticated()
  if (isRevoked === 't' || !role) throw ApiTokenErrors.revoked()
  if (isExpired === 't') throw ApiTokenErrors.expired()
  if (isUseDue === 't') await executeInStore(storeId, UPDATE_LAST_USED, [id, at, dueBefore])
  const rightsOfCreator = rightsOf(role, customRights ? JSON.parse(customRights) : null)
  const rightsOfToken = knownRights(JSON.parse(rights ?? '[]'))
  return { id, createdBy, rights: rightsOfToken.filter((right) => rightsOfCreator.includes(right)) }
}
