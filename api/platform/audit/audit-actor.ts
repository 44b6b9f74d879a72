import type { Actor } from '#shared/audit/entry.ts'
import type { AccountName } from '#shared/identity/account.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStaffEmail } from '#shared/staff/find-staff-member.ts'
import { findSuperAdminEmail } from '#shared/super-admin/super-admin.ts'
import type { ApiToken, StaffMember, SuperAdmin } from '../auth/access.ts'
import type { AuditTx } from './audit.ts'

/** What a call says of who calls: one of these, or nothing. */
export interface Callers {
  staff?: StaffMember | ApiToken
  superAdmin?: SuperAdmin
  /** Whoever changes something of their own. A mailed link is no session's. */
  account?: AccountName & { sessionId: string | null }
}

/** Someone whose changes are entered in the audit log. */
export type Caller = NonNullable<Callers['staff' | 'superAdmin' | 'account']>

/** Who calls, of the staff or the platform; nobody where it is a customer, or not known. */
export const callerOf = ({ staff, superAdmin, account }: Callers): Caller | undefined =>
  superAdmin ?? staff ?? (account?.type === 'staff' ? account : undefined)

/**
 * A caller as the audit log names them. Staff may have been removed since they were let in: then throws
 * `auth.session_revoked`, and `auth.link_invalid` where a mailed link led to them.
 */
export async function actorOf(tx: AuditTx, caller: Caller): Promise<Actor> {
  if (caller.type === 'super_admin') return caller
  if (caller.type === 'customer' || !(tx instanceof StoreTx)) throw new Error('A change that no staff made')
  const { type, id } = caller
  if (type === 'api_token') return { type, id, email: null, sessionId: null }
  const { sessionId } = caller
  if ('isSupport' in caller && caller.isSupport)
    return { type: 'super_admin', id, email: await findSuperAdminEmail(tx.knex, id), sessionId }
  const email = await findStaffEmail(tx, id)
  if (email === null) throw sessionId ? AuthErrors.sessionRevoked() : AuthErrors.linkInvalid()
  return { type, id, email, sessionId }
}
