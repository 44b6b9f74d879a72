import type { PlatformClaims } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Checks the session of a super-admin and returns it with the e-mail address. Throws like `checkSession`. */
export async function checkSuperAdminSession(
  claims: PlatformClaims,
): Promise<SuperAdmin & { isSignInRecent: boolean }> {
  const { isSignInRecent, columns } = await checkSession(claims)
  const [email] = columns
  return { id: claims.accountId, email: String(email), isSignInRecent }
}
