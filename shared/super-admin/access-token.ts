import { AuthErrors } from '#shared/identity/errors.ts'
import { readJwt, signJwt } from '#shared/identity/sessions/jwt.ts'

const AUDIENCE = 'commerce-platform'
const LIFETIME_SECONDS = 15 * 60

/** Who a super-admin's access token speaks for. */
export interface SuperAdminClaims {
  superAdminId: string
  sessionId: string
}

/** Signs a super-admin's access token: 15 minutes, for the platform alone. */
export const signSuperAdminToken = ({ superAdminId: sub, sessionId: sid }: SuperAdminClaims) => ({
  accessToken: signJwt({ sub, sid, typ: 'super_admin' }, AUDIENCE, LIFETIME_SECONDS),
  expiresIn: LIFETIME_SECONDS,
})

/** Reads one. Throws `auth.token_expired`, or `auth.not_authenticated` for any other token. */
export function verifySuperAdminToken(token: string): SuperAdminClaims {
  const { sub, sid, typ } = readJwt(token, AUDIENCE, ['sub', 'sid'])
  if (typ !== 'super_admin') throw AuthErrors.notAuthenticated()
  return { superAdminId: sub as string, sessionId: sid as string }
}
