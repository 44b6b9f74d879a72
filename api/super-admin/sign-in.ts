import type { Static } from 'typebox'
import { AuthErrors } from '#shared/accounts/errors.ts'
import { isPassword } from '#shared/accounts/password.ts'
import { viewTokenPair } from '#shared/accounts/view.ts'
import { findSuperAdminCredentials } from '#shared/super-admin/find-credentials.ts'
import { letInSuperAdmin } from '#shared/super-admin/let-in.ts'
import { renewPasswordHash } from '#shared/super-admin/renew-password-hash.ts'
import { viewSuperAdmin } from '#shared/super-admin/view.ts'
import { deviceOf, factorOf } from '../accounts/caller.ts'
import type { RequestFacts } from '../platform/endpoint.ts'
import { countCode } from '../platform/rate-limit.ts'
import type { SuperAdminLoginBody } from './schemas.ts'

/** Signs a super-admin in. An unknown address takes as long as a wrong password. */
export async function signInSuperAdmin(login: Static<typeof SuperAdminLoginBody>, request: RequestFacts) {
  const found = await findSuperAdminCredentials(login.email)
  const matches = await isPassword(login.password, found?.passwordHash ?? null)
  if (!found || !matches) throw AuthErrors.invalidCredentials()
  if (login.totp_code || login.recovery_code) await countCode(`super_admin:${found.id}`)
  const proven = await renewPasswordHash(found, login.password)
  const tokens = await letInSuperAdmin(proven, deviceOf(request), factorOf(login))
  return { ...viewTokenPair(tokens), super_admin: viewSuperAdmin(found) }
}
