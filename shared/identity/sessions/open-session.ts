import type { Device } from '#shared/identity/device.ts'
import { type Account, type IdentityTx, principalOf } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { newId } from '#shared/platform/db/id.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { insertSession } from './insert-session.ts'
import { makeRefreshToken } from './refresh-token.ts'
import { makeTokenPair, type TokenPair } from './token-pair.ts'

interface SessionOrigin {
  /** Records a security event, because the owner did not use this device before. */
  isNewDevice?: boolean
  /** The identity provider of the sign-in. The session ends with it. */
  providerId?: string | null
}

/** Opens a session of an account. The caller has verified that the request comes from its owner. */
export async function openSession(
  tx: IdentityTx,
  account: Account,
  device: Device,
  { isNewDevice = false, providerId = null }: SessionOrigin = {},
): Promise<TokenPair> {
  const id = newId()
  const refreshToken = makeRefreshToken({ storeId: tx.storeId, sessionId: id, generation: 1 })
  await insertSession(tx, account, device, {
    id,
    refreshToken,
    authenticated_at: now(),
    expires_at: expiryOf(account, now()),
    ...(providerId === null ? {} : { provider_id: providerId }),
  })
  if (isNewDevice)
    await recordSecurityEvent(tx, 'signed_in_from_new_device', account, device, { sessionId: id })
  return makeTokenPair(tx, account, id, refreshToken)
}

/** The longest lifetime of a session, however often it is used. */
const MAX_SESSION_MS = 90 * DAY_MS

/** Returns the time at which a session ends if it is not used again. */
export function expiryOf({ type }: Account, createdAt: Date): Date {
  const idleEnd = now().getTime() + principalOf(type).idleMs
  return new Date(Math.min(idleEnd, createdAt.getTime() + MAX_SESSION_MS))
}
