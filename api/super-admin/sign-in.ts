import { AuthErrors } from '#shared/accounts/errors.ts'
import { isPassword } from '#shared/accounts/password.ts'
import { viewTokenPair } from '#shared/accounts/view.ts'
import { findSuperAdminCredentials } from '#shared/super-admin/find-credentials.ts'
import { openSuperAdminSession } from '#shared/super-admin/open-session.ts'
import { viewSuperAdmin } from '#shared/super-admin/view.ts'
import { deviceOf } from '../accounts/caller.ts'
import type { RequestFacts } from '../platform/endpoint.ts'

/** Signs a super-admin in. An unknown address takes as long as a wrong password. */
export async function signInSuperAdmin(
  { email, password }: { email: string; password: string },
  request: RequestFacts,
) {
  const found = await findSuperAdminCredentials(email)
  const matches = await isPassword(password, found?.passwordHash ?? null)
  if (!found || !matches) throw AuthErrors.invalidCredentials()
  const tokens = await openSuperAdminSession(found, deviceOf(request))
  return { ...viewTokenPair(tokens), super_admin: viewSuperAdmin(found) }
}
