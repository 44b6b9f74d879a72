import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { signAccessToken } from '#shared/identity/sessions/access-token.ts'
import { insertSession } from '#shared/identity/sessions/insert-session.ts'
import { isSuperAdminSessionOpen } from '#shared/identity/sessions/session.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { supportSignedInMail } from '#shared/staff/mails/support-signed-in.ts'
import { mailOwner } from '#shared/staff/ownership/mail-owner.ts'
import { findConsent } from '#shared/staff/support-consent.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { readStore } from '#shared/stores/store.ts'
import type { SuperAdmin } from './super-admin.ts'

/** The reason and the length of a support session. */
export interface SupportSessionRequest {
  superAdmin: SuperAdmin & { sessionId: string }
  reason: string
  minutes: number
}

export interface SupportSession {
  sessionId: string
  accessToken: string
  expiresAt: Date
  /** The lifetime in seconds. */
  expiresIn: number
}

/**
 * Signs a super-admin in as an administrator of the store for a fixed time, without a refresh token. The session is
 * marked as a support session, and ends with the super-admin's own session. The store's owner gets a mail. Throws
 * `store.not_active`, and `auth.session_revoked` if the super-admin has signed out since.
 */
export async function openSupportSession(
  tx: StoreTx,
  { superAdmin, reason, minutes }: SupportSessionRequest,
  device: Device,
): Promise<SupportSession> {
  const { status } = await readStore(tx)
  if (status !== 'active') throw StoreErrors.notActive()
  await lockSignedIn(tx, superAdmin)
  const sessionId = newId()
  const expiresAt = inMs(minutes * MINUTE_MS)
  const account = { type: 'staff', id: superAdmin.id } as const
  // The refresh token is discarded, so the session cannot be renewed.
  const session = {
    id: sessionId,
    refreshToken: randomToken(),
    authenticated_at: null,
    expires_at: expiresAt,
    support_reason: reason,
    super_admin_session_id: superAdmin.sessionId,
  }
  await insertSession(tx, account, device, session)
  await mailOwner(tx, supportSignedInMail, {
    super_admin: superAdmin.email,
    reason,
    expires_at: expiresAt.toISOString(),
    may_write: (await findConsent(tx)) !== undefined,
  })
  const claims = { accountType: 'staff', accountId: superAdmin.id, sessionId, storeId: tx.storeId } as const
  return { sessionId, expiresAt, ...signAccessToken(claims, minutes * 60) }
}

// Lock the super-admin: a concurrent sign-out everywhere ends the support sessions that exist, and must not miss this
// one. If the sign-out was first, the super-admin's own session is closed after the wait.
async function lockSignedIn(tx: StoreTx, { id, sessionId }: { id: string; sessionId: string }) {
  const active = await tx.knex('super_admins').where({ id, is_active: true }).forShare().first('id')
  if (!active || !(await isSuperAdminSessionOpen(tx, sessionId))) throw AuthErrors.sessionRevoked()
}
