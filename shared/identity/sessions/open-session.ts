import { type Static, Type } from 'typebox'
import { newId } from '#shared/platform/db/id.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import type { Device } from '../device.ts'
import { type Account, type IdentityTx, principalOf, rowsOf, tablesIn } from '../principal.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { type AccessClaims, type PlatformClaims, signAccessToken } from './access-token.ts'
import { makeRefreshToken } from './refresh-token.ts'

/** The answer to a sign-in or a refresh. `expiresIn` is the access token's, in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

/**
 * Opens a session of an account. The caller has verified that the request comes from its owner. `isNewDevice`: the
 * owner did not use the device before, which becomes a security event.
 */
export async function openSession(
  tx: IdentityTx,
  account: Account,
  device: Device,
  { isNewDevice = false }: { isNewDevice?: boolean } = {},
): Promise<TokenPair> {
  const id = newId()
  const refreshToken = makeRefreshToken({ storeId: tx.storeId, sessionId: id, generation: 1 })
  await insertSession(tx, account, device, { id, refreshToken, expires_at: expiryOf(account, now()) })
  if (isNewDevice)
    await recordSecurityEvent(tx, 'signed_in_from_new_device', account, device, { sessionId: id })
  return makeTokenPair(tx, account, id, refreshToken)
}

interface NewSession {
  id: string
  refreshToken: string
  expires_at: Date
  /** Why a super-admin opens it, as an administrator of the store. */
  support_reason?: string
}

/** Writes the row of a session that opens now. */
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

/** A new access token of the session, with its present refresh token. */
export function makeTokenPair(
  { storeId }: IdentityTx,
  { type: accountType, id: accountId }: Account,
  sessionId: string,
  refreshToken: string,
): TokenPair {
  const claims = { accountType, accountId, sessionId, storeId } as AccessClaims | PlatformClaims
  return { ...signAccessToken(claims), refreshToken }
}

/** The longest life of a session, however often it is used. */
const MAX_SESSION_MS = 90 * DAY_MS

/** When a session that was opened at `createdAt` ends, unless it is used again before. */
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
