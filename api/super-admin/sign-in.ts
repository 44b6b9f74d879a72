import type { Static } from 'typebox'
import { deviceOf, factorOf } from '#api/accounts/caller.ts'
import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { limitCode } from '#api/platform/rate-limits/rate-limit.ts'
import { NOBODY } from '#shared/identity/account.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { viewTokenPair } from '#shared/identity/sessions/token-pair-view.ts'
import { countingFailures } from '#shared/identity/throttling/failures.ts'
import { db } from '#shared/platform/db/db.ts'
import { findSuperAdminToSignIn, type SuperAdminCredentials } from '#shared/super-admin/find-credentials.ts'
import { lastDevicesOfSuperAdmin } from '#shared/super-admin/known-devices.ts'
import { letInSuperAdmin } from '#shared/super-admin/let-in.ts'
import { renewSuperAdminPasswordHash } from '#shared/super-admin/renew-password-hash.ts'
import { viewSuperAdmin } from '#shared/super-admin/view.ts'
import type { SuperAdminLoginBody } from './schemas.ts'

type Login = Static<typeof SuperAdminLoginBody>

/** Signs a super-admin in. An unknown address takes as long as a wrong password. */
export async function signInSuperAdmin(login: Login, request: RequestInfo) {
  const { found, failures } = await findSuperAdminToSignIn(login.email)
  const device = deviceOf(request)
  const knownDevices = () => lastDevicesOfSuperAdmin(db(), found?.id ?? NOBODY)
  return countingFailures(failures, { device, knownDevices }, () => prove(found, login, device))
}

async function prove(found: SuperAdminCredentials | null, login: Login, device: Device) {
  const matches = await isPassword(login.password, found?.passwordHash ?? null)
  if (!found || !matches) throw AuthErrors.invalidCredentials()
  if (login.totp_code || login.recovery_code) await limitCode(`super_admin:${found.id}`)
  const proven = await renewSuperAdminPasswordHash(found, login.password)
  const tokens = await letInSuperAdmin(proven, device, factorOf(login))
  return { ...viewTokenPair(tokens), super_admin: viewSuperAdmin(found) }
}
