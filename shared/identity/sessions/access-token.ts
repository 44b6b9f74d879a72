import { AuthErrors } from '../errors.ts'
import { readJwt, signJwt } from './jwt.ts'

export type AccountType = 'customer' | 'staff'

/** Who an access token speaks for. */
export interface AccessClaims {
  accountType: AccountType
  accountId: string
  sessionId: string
  storeId: string
}

const LIFETIME_SECONDS = { customer: 30 * 60, staff: 15 * 60 }

/** Signs an access token: it lives 30 minutes for customers, 15 for staff, unless told. */
export function signAccessToken(
  { accountType: typ, accountId: sub, sessionId: sid, storeId: tenant_id }: AccessClaims,
  expiresIn = LIFETIME_SECONDS[typ],
): { accessToken: string; expiresIn: number } {
  return { accessToken: signJwt({ sub, sid, tenant_id, typ }, 'commerce', expiresIn), expiresIn }
}

/** Reads an access token. Throws `auth.token_expired`, or `auth.not_authenticated` for whatever is not one of ours. */
export function verifyAccessToken(token: string): AccessClaims {
  const { sub, sid, tenant_id, typ } = readJwt(token, 'commerce', ['sub', 'sid', 'tenant_id'])
  if (typ !== 'customer' && typ !== 'staff') throw AuthErrors.notAuthenticated()
  return {
    accountType: typ,
    accountId: sub as string,
    sessionId: sid as string,
    storeId: tenant_id as string,
  }
}
