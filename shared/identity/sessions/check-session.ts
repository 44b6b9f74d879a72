import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { now } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import type { AccessClaims } from './access-token.ts'

const CHECK_SESSION = {
  name: 'check_session',
  text: `
    select s.closed_at is null and s.expires_at > $3::timestamptz,
           coalesce(
             c.is_active, m.is_active,
             a.is_active and s.created_at > coalesce(a.signed_out_at, '-infinity'), false),
           case when a.id is null then m.role else 'administrator' end, m.is_owner, to_json(r.rights), a.id is not null
    from sessions s
    left join customers c on s.account_type = 'customer' and c.store_id = s.store_id and c.id = s.account_id
    left join staff_members m on s.account_type = 'staff' and m.store_id = s.store_id and m.id = s.account_id
    left join super_admins a on s.support_reason is not null and a.id = s.account_id
    left join roles r on r.store_id = m.store_id and r.name = m.role
    where s.store_id = ${CURRENT_STORE}
      and s.id = $1::uuid and s.account_id = $2::uuid and s.account_type = $4`,
}

/** Whose session it is: the role of a staff member, null for customers. */
export interface CheckedSession {
  role: string | null
  isOwner: boolean
  /** Of a role of the store's own making; null for a preset. */
  ownRights: string[] | null
  /** Of a super-admin who came to help: an administrator for the while. */
  isSupport: boolean
}

/**
 * Asks, on every authenticated call, whether the token's session is still open and its account active.
 * Throws `auth.session_revoked`.
 */
export async function checkSession(claims: AccessClaims): Promise<CheckedSession> {
  const { storeId, sessionId, accountId, accountType } = claims
  const [row] = await readInStore(storeId, CHECK_SESSION, [
    sessionId,
    accountId,
    now().toISOString(),
    accountType,
  ])
  const [isOpen, isActive, role, isOwner, ownRights, isSupport] = row ?? []
  if (isOpen !== 't' || isActive !== 't') throw AuthErrors.sessionRevoked()
  return {
    role: role ?? null,
    isOwner: isOwner === 't',
    ownRights: ownRights ? JSON.parse(ownRights) : null,
    isSupport: isSupport === 't',
  }
}
