import type { Knex } from 'knex'
import type { Actor } from '#shared/audit/entry.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStaffEmail } from '#shared/staff/staff-member.ts'
import { findSuperAdminEmail } from '#shared/super-admin/super-admin.ts'
import type { ApiToken, StaffMember, SuperAdmin } from '../auth/access.ts'

/** The transaction of an audited change: a store's, or the platform's. */
export type AuditTx = StoreTx | Knex.Transaction

/** The callers that a handler's argument can name. At most one is set. */
export interface Callers {
  staff?: StaffMember | ApiToken
  superAdmin?: SuperAdmin
  /** Someone who changes their own account. A mailed link has no session. */
  account?: StoreAccount & { sessionId: string | null }
}

/** A caller whose changes are written to the audit log. */
export type Caller = NonNullable<Callers['staff' | 'superAdmin' | 'account']>

/** The caller, if it is staff or a super-admin; undefined for customers and anonymous callers. */
export const callerOf = ({ staff, superAdmin, account }: Callers): Caller | undefined =>
  superAdmin ?? staff ?? (account?.type === 'staff' ? account : undefined)

/**
 * The caller as the audit log names them. A staff member may have been removed since authentication: then it throws
 * `auth.session_revoked`, or `auth.link_invalid` if they came by a mailed link.
 */
export async function actorOf(tx: AuditTx, caller: Caller): Promise<Actor> {
  if (caller.type === 'super_admin') return caller
  if (caller.type === 'customer' || !(tx instanceof StoreTx))
    throw new Error('Only changes by staff and super-admins are audited')
  const { type, id } = caller
  if (type === 'api_token') return { type, id, email: null, sessionId: null }
  const { sessionId } = caller
  if ('isSupport' in caller && caller.isSupport)
    return { type: 'super_admin', id, email: await findSuperAdminEmail(tx.knex, id), sessionId }
  const email = await findStaffEmail(tx, id)
  if (email === null) throw sessionId ? AuthErrors.sessionRevoked() : AuthErrors.linkInvalid()
  return { type, id, email, sessionId }
}
