import { signAccessToken } from '#shared/identity/sessions/access-token.ts'
import { type Device, Session } from '#shared/identity/sessions/session.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
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
  const at = now()
  const expiresAt = inMs(minutes * MINUTE_MS)
  const { id: sessionId } = await Session.in(tx).insert({
    accountType: 'staff',
    accountId: superAdminId,
    supportReason: reason,
    generation: 1,
    // Of a token that nobody has: the session cannot be renewed.
    tokenHash: sha256(randomToken()),
    ...device,
    createdAt: at,
    lastUsedAt: at,
    expiresAt,
  })
  const claims = { accountType: 'staff', accountId: superAdminId, sessionId, storeId: tx.storeId } as const
  return { sessionId, expiresAt, ...signAccessToken(claims, minutes * 60) }
}
