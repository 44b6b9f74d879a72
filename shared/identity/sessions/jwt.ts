import { type KeyObject, randomUUID } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { isUuid } from '#shared/platform/db/id.ts'
import { now } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import { type TokenKey, tokenKeys } from './token-keys.ts'

const ISSUER = 'commerce'
const CLOCK_DRIFT_SECONDS = 5

/** Whom a token is for: one made for the stores is none for the platform, and the other way round. */
export type Audience = 'commerce' | 'commerce-platform'

/** Signs a token (JWT, HS256, `kid` in the header) that lives for so many seconds. */
export function signJwt(claims: object, audience: Audience, lifetimeSeconds: number): string {
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

/**
 * Reads a token whose claims `ids` must be UUIDs. Throws `auth.token_expired`, or `auth.not_authenticated` for
 * whatever is not one of ours.
 */
export function readJwt(token: string, audience: Audience, ids: readonly string[]): Record<string, unknown> {
  const header = jwt.decode(token, { complete: true })?.header
  const key = header?.kid ? tokenKeys().get(header.kid)?.access : undefined
  // The library lets an unknown critical extension pass, which RFC 7515 forbids.
  if (!key || (header && 'crit' in header)) throw AuthErrors.notAuthenticated()
  const payload: Record<string, unknown> = decode(token, key, audience)
  const { iat, exp } = payload
  const inTime =
    typeof exp === 'number' && typeof iat === 'number' && iat <= now().getTime() / 1000 + CLOCK_DRIFT_SECONDS
  const isNamed = ids.map((name) => payload[name]).every((id) => typeof id === 'string' && isUuid(id))
  if (!inTime || !isNamed) throw AuthErrors.notAuthenticated()
  return payload
}

function decode(token: string, key: KeyObject, audience: Audience): jwt.JwtPayload {
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
