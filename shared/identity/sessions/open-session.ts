import { type Static, Type } from 'typebox'
import type { Device } from '#shared/identity/device.ts'
import { type Account, type IdentityTx, principalOf, rowsOf, tablesIn } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { newId } from '#shared/platform/db/id.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { type AccessClaims, type PlatformClaims, signAccessToken } from './access-token.ts'
import { makeRefreshToken } from './refresh-token.ts'

/** The tokens of a sign-in or refresh. `expiresIn` is the lifetime of the access token in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

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

interface NewSession {
  id: string
  refreshToken: string
  authenticated_at: Date | null
  expires_at: Date
  provider_id?: string
  /** The reason why a super-admin opens the session, as an administrator of the store. */
  support_reason?: string
  /** The session of the super-admin that opens a support session. */
  super_admin_session_id?: string
}

/** Inserts the row of a new session. */
export async function insertSession(
  tx: IdentityTx,
  account: Account,
  { ip, userAgent }: Device,
  { refreshToken, ...session }: NewSession,
): Promise<void> {
  const at = now()
  await tx.knex(tablesIn(tx).sessions).insert({
    ...rowsOf(tx, account),
    ...session,
    generation: 1,
    token_hash: sha256(refreshToken),
    ip,
    user_agent: userAgent,
    created_at: at,
    last_used_at: at,
  })
}

/** Creates a new access token of the session, and returns it with the session's present refresh token. */
export function makeTokenPair(
  { storeId }: IdentityTx,
  { type: accountType, id: accountId }: Account,
  sessionId: string,
  refreshToken: string,
): TokenPair {
  const claims = { accountType, accountId, sessionId, storeId } as AccessClaims | PlatformClaims
  return { ...signAccessToken(claims), refreshToken }
}

/** The longest lifetime of a session, however often it is used. */
const MAX_SESSION_MS = 90 * DAY_MS

/** Returns the time at which a session ends if it is not used again. */
export function expiryOf({ type }: Account, createdAt: Date): Date {
  const idleEnd = now().getTime() + principalOf(type).idleMs
  return new Date(Math.min(idleEnd, createdAt.getTime() + MAX_SESSION_MS))
}

export const tokenPairProperties = {
  access_token: Type.String({ description: 'Send it as "Authorization: Bearer …"' }),
  refresh_token: Type.String({ description: 'For POST /auth/refresh; store each new one' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
}

export const TokenPairView = Shape(tokenPairProperties)

export const viewTokenPair = ({
  accessToken,
  refreshToken,
  expiresIn,
}: TokenPair): Static<typeof TokenPairView> => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
})
