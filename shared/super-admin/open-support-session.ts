import type { Device } from '#shared/identity/device.ts'
import { signAccessToken } from '#shared/identity/sessions/access-token.ts'
import { insertSession } from '#shared/identity/sessions/open-session.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { readStore } from '#shared/stores/store.ts'

/** What a super-admin comes to a store for, and for how long. */
export interface SupportVisit {
  superAdminId: string
  reason: string
  minutes: number
}

/**
 * Signs a super-admin in as an administrator of the store, for a set time: there is no refresh token, and the session
 * says what it is. Throws `store.not_active`.
 */
export async function openSupportSession(
  tx: StoreTx,
  { superAdminId, reason, minutes }: SupportVisit,
  device: Device,
): Promise<{ sessionId: string; accessToken: string; expiresAt: Date; expiresIn: number }> {
  const { status } = await readStore(tx)
  if (status !== 'active') throw StoreErrors.notActive()
  const sessionId = newId()
  const expiresAt = inMs(minutes * MINUTE_MS)
  const account = { type: 'staff', id: superAdminId } as const
  // Nobody has the refresh token, so the session cannot be renewed.
  const session = {
    id: sessionId,
    refreshToken: randomToken(),
    expires_at: expiresAt,
    support_reason: reason,
  }
  await insertSession(tx, account, device, session)
  const claims = { accountType: 'staff', accountId: superAdminId, sessionId, storeId: tx.storeId } as const
  return { sessionId, expiresAt, ...signAccessToken(claims, minutes * 60) }
}
