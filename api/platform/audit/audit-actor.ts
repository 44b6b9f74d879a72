import type { AuditedCaller } from '#api/platform/auth/callers.ts'
import type { AuditActor } from '#shared/audit/entry.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { type PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStaffEmail } from '#shared/staff/staff-member.ts'
import { findSuperAdminEmail } from '#shared/super-admin/super-admin.ts'

/** The transaction of an audited change: a store's, or the platform's. */
export type AuditTx = StoreTx | PlatformTx

/**
 * Returns the caller for the audit log. Throws `auth.session_revoked` for a staff member who was removed since
 * authentication, or `auth.link_invalid` if they used a mailed link.
 */
export async function actorOf(tx: AuditTx, caller: AuditedCaller): Promise<AuditActor> {
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
