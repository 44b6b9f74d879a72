import { type KeyObject, randomUUID } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { AuthErrors } from '#shared/identity/errors.ts'
import {
  type AccountType,
  type PrincipalType,
  principalIn,
  principalOf,
  type TokenAudience,
} from '#shared/identity/principal.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type TokenKey, tokenKeys } from './token-keys.ts'

/** The account and session that an access token names. */
export interface AccessClaims<T extends PrincipalType = AccountType, S extends string | null = string> {
  accountType: T
  accountId: string
  sessionId: string
  /** Null on the platform. */
  storeId: S
}

export type PlatformClaims = AccessClaims<'super_admin', null>

const ISSUER = 'commerce'
const CLOCK_DRIFT_SECONDS = 5

/**
 * Signs an access token (JWT, HS256, `kid` in the header). `expiresIn` is in seconds; its default depends on the
 * principal.
 */
export function signAccessToken(
  { accountType: typ, accountId: sub, sessionId: sid, storeId }: AccessClaims | PlatformClaims,
  expiresIn = principalOf(typ).accessTokenSeconds,
): { accessToken: string; expiresIn: number } {
  const claims = { sub, sid, typ, ...(storeId ? { tenant_id: storeId } : {}) }
  return { accessToken: signJwt(claims, principalOf(typ).audience, expiresIn), expiresIn }
}

/**
 * Verifies and reads an access token of a store. Throws `auth.token_expired`, and `auth.not_authenticated` for an
 * invalid token.
 */
export function verifyAccessToken(token: string): AccessClaims {
  const { typ, sub, sid, tenant_id } = readJwt(token, 'commerce', ['sub', 'sid', 'tenant_id'])
  const type = principalIn('commerce', typ)?.type as AccountType | undefined
  if (!type) throw AuthErrors.notAuthenticated()
  return {
    accountType: type,
    accountId: sub as string,
    sessionId: sid as string,
    storeId: tenant_id as string,
  }
}

/** Verifies and reads an access token of the platform. Throws like `verifyAccessToken`. */
export function verifyPlatformToken(token: string): PlatformClaims {
  const { typ, sub, sid } = readJwt(token, 'commerce-platform', ['sub', 'sid'])
  if (!principalIn('commerce-platform', typ)) throw AuthErrors.notAuthenticated()
  return { accountType: 'super_admin', accountId: sub as string, sessionId: sid as string, storeId: null }
}

export function signJwt(claims: object, audience: TokenAudience, lifetimeSeconds: number): string {
  const [[kid, { access }]] = [...tokenKeys()] as [[string, TokenKey]]
  const iat = Math.floor(now().getTime() / 1000)
  const payload = {
    ...claims,
    iss: ISSUER,
    aud: audience,
    jti: randomUUID(),
    iat,
    exp: iat + lifetimeSeconds,
  }
  return jwt.sign(payload, access, { algorithm: 'HS256', keyid: kid })
}

/** Verifies and reads a token. The claims named by `ids` must be UUIDs. */
function readJwt(token: string, audience: TokenAudience, ids: readonly string[]): Record<string, unknown> {
  const header = readHeader(token)
  const key = header?.kid ? tokenKeys().get(header.kid)?.access : undefined
  // The library accepts an unknown critical extension, which RFC 7515 forbids.
  if (!key || (header && 'crit' in header)) throw AuthErrors.notAuthenticated()
  const payload: Record<string, unknown> = verifyJwt(token, key, audience)
  const { iat, exp } = payload
  const isInTime =
    typeof exp === 'number' && typeof iat === 'number' && iat <= now().getTime() / 1000 + CLOCK_DRIFT_SECONDS
  const hasIds = ids.map((name) => payload[name]).every((id) => typeof id === 'string' && isUuid(id))
  if (!isInTime || !hasIds) throw AuthErrors.notAuthenticated()
  return payload
}

/** Reads the header of a token without verifying it; undefined if it has none. */
function readHeader(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header
  } catch {
    // The library parses the claims too, and throws if they are no JSON.
    return undefined
  }
}

function verifyJwt(token: string, key: KeyObject, audience: TokenAudience): jwt.JwtPayload {
  try {
    return jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience,
      clockTimestamp: Math.floor(now().getTime() / 1000),
    }) as jwt.JwtPayload
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw AuthErrors.tokenExpired()
    throw AuthErrors.notAuthenticated()
  }
}
