import { deviceFacts } from '#shared/identity/mails/device.ts'
import { newSignInMail } from '#shared/identity/mails/new-sign-in.ts'
import { isUnknown } from '#shared/identity/sessions/known-devices.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { passSecondFactor, type SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { factorOwner } from './factor-owner.ts'
import { lastDevicesOfSuperAdmin } from './known-devices.ts'
import { openSuperAdminSession } from './open-session.ts'

/**
 * Signs in a super-admin whose password was right a moment ago, and tells them of a device that is new. Throws
 * `auth.invalid_credentials` if the password has changed, `auth.totp_required` and `auth.totp_invalid` where
 * two-factor sign-in is on.
 */
export const letInSuperAdmin = (
  confirmed: Confirmed,
  device: Device,
  secondFactor: SecondFactor,
): Promise<TokenPair> =>
  inPlatform(async (knex) => {
    await lockConfirmed(knex, confirmed)
    await passSecondFactor(factorOwner(knex, confirmed.id), secondFactor)
    if (isUnknown(device, await lastDevicesOfSuperAdmin(knex, confirmed.id)))
      await queuePlatformMail(knex, newSignInMail, confirmed.email, deviceFacts(device))
    return openSuperAdminSession(knex, confirmed.id, device)
  })
