import type { TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import { passSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { inPlatform } from '../platform/store-scope.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { factorOwner } from './factor-owner.ts'
import { openSuperAdminSession } from './open-session.ts'

/**
 * Signs in a super-admin whose password was right a moment ago. Throws `auth.invalid_credentials` if that has changed,
 * `auth.totp_required` and `auth.totp_invalid` where two-factor sign-in is on.
 */
export const letInSuperAdmin = (
  confirmed: Confirmed,
  device: Device,
  secondFactor: SecondFactor,
): Promise<TokenPair> =>
  inPlatform(async (knex) => {
    await lockConfirmed(knex, confirmed)
    await passSecondFactor(factorOwner(knex, confirmed.id), secondFactor)
    return openSuperAdminSession(knex, confirmed.id, device)
  })
