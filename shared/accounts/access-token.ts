import jwt from 'jsonwebtoken'
import { now } from '../platform/clock.ts'
import { isUuid, newId } from '../platform/id.ts'
import { AuthErrors } from './errors.ts'
import { tokenKeys } from './token-keys.ts'

export type AccountType = 'customer' | 'staff'

/** Who an access token speaks for. */
export interface AccessClaims {
  accountType: AccountType
  accountId: string
  sessionId: string
  storeId: string
}

const ISSUER = 'commerce'
const LIFETIME_SECONDS = { customer: 30 * 60, staff: 15 * 60 }

/** Signs an access token (JWT, HS256, `kid` in the header): 30 minutes for customers, 15 for staff. */
export function signAccessToken(claims: AccessClaims): {
  accessToken: string
  expiresIn: number
} {
  const [[kid, key]] = [...tokenKeys()] as [[string, Buffer]]
  const issuedAt = Math.floor(now().getTime() / 1000)
  const expiresIn = LIFETIME_SECONDS[claims.accountType]
  const payload = {
    sub: claims.accountId,
    sid: claims.sessionId,
    tenant_id: claims.storeId,
    typ: claims.accountType,
    iss: ISSUER,
    aud: ISSUER,
    jti: newId(),
    iat: issuedAt,
    exp: issuedAt + expiresIn,
  }
  return {
    accessToken: jwt.sign(payload, key, { algorithm: 'HS256', keyid: kid }),
    expiresIn,
  }
}

const CLOCK_DRIFT_SECONDS = 5

/** Reads an access token. Throws `auth.token_expired`, or `auth.not_authenticated` for whatever is not one of ours. */
export function verifyAccessToken(token: string): AccessClaims {
  const header = jwt.decode(token, { complete: true })?.header
  const key = header?.kid ? tokenKeys().get(header.kid) : undefined
  // The library lets an unknown critical extension pass, which RFC 7515 forbids.
  if (!key || (header && 'crit' in header)) throw AuthErrors.notAuthenticated()
  const payload = decode(token, key)
  const { sub, sid, tenant_id: storeId, typ, iat, exp } = payload
  const inTime =
    typeof exp === 'number' && typeof iat === 'number' && iat <= now().getTime() / 1000 + CLOCK_DRIFT_SECONDS
  const named = [sub, sid, storeId].every((id) => typeof id === 'string' && isUuid(id))
  if (!inTime || !named || (typ !== 'customer' && typ !== 'staff')) throw AuthErrors.notAuthenticated()
  return {
    accountType: typ,
    accountId: sub as string,
    sessionId: sid,
    storeId,
  }
}

function decode(token: string, key: Buffer): jwt.JwtPayload {
  try {
    return jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: ISSUER,
      clockTimestamp: Math.floor(now().getTime() / 1000),
    }) as jwt.JwtPayload
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw AuthErrors.tokenExpired()
    throw AuthErrors.notAuthenticated()
  }
}
