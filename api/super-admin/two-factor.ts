import { Type } from 'typebox'
import {
  prepareTwoFactor,
  renewRecoveryCodes,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#shared/accounts/two-factor/factor-holder.ts'
import { RecoveryCodesView, TwoFactorSetupView } from '#shared/accounts/two-factor/view.ts'
import { confirmPassword } from '#shared/super-admin/confirm-password.ts'
import { lockFactorHolder } from '#shared/super-admin/lock-factor-holder.ts'
import { deviceOf, factorOf } from '../accounts/caller.ts'
import { ConfirmBody, EnableTwoFactorBody, SecondFactorBody } from '../accounts/schemas.ts'
import * as ofAccounts from '../accounts/two-factor.ts'
import { viewTwoFactorSetup } from '../accounts/two-factor-setup.ts'
import { superAdmin } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { limits } from '../platform/limits.ts'

// As the accounts of stores have them, in the platform's own transactions.
const grave = { access: superAdmin, limits: [limits.admin, limits.codes], transaction: 'own' } as const
const PROOF = 'Takes the password and a `totp_code` or a `recovery_code`. '

export const setUp = endpoint({
  ...grave,
  method: 'post',
  path: '/super-admin/auth/2fa/setup',
  summary: "Get a secret for a super-admin's two-factor sign-in",
  description:
    'Nothing changes until it is switched on by POST /super-admin/auth/2fa/enable; asking again replaces the secret.',
  body: ConfirmBody,
  returns: [200, TwoFactorSetupView],
  errors: ofAccounts.setUp.errors,
  example: ofAccounts.setUp.example,
  async handle({ superAdmin, body, change }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    return change.inPlatform(async (knex) =>
      viewTwoFactorSetup(await prepareTwoFactor(await lockFactorHolder(knex, confirmed))),
    )
  },
})

export const enable = endpoint({
  ...grave,
  method: 'post',
  path: '/super-admin/auth/2fa/enable',
  summary: "Switch a super-admin's two-factor sign-in on",
  description:
    'Takes a code of the app that was given the secret. The ten recovery codes are shown here and never again; ' +
    'whoever loses them and the app asks who has the server: `npm run super-admin` switches it off.',
  body: EnableTwoFactorBody,
  returns: [200, RecoveryCodesView],
  errors: ofAccounts.enable.errors,
  example: ofAccounts.enable.example,
  async handle({ superAdmin, body, request, change }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    return change.inPlatform(async (knex) => ({
      recovery_codes: await switchOnTwoFactor(
        await lockFactorHolder(knex, confirmed),
        body.totp_code,
        deviceOf(request),
      ),
    }))
  },
})

export const disable = endpoint({
  ...grave,
  method: 'post',
  path: '/super-admin/auth/2fa/disable',
  summary: "Switch a super-admin's two-factor sign-in off",
  description: `${PROOF}Secret and recovery codes are deleted, and a mail tells of it.`,
  body: SecondFactorBody,
  returns: [200, Type.Null()],
  errors: ofAccounts.disable.errors,
  example: ofAccounts.disable.example,
  async handle({ superAdmin, body, request, change }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    return change.inPlatform(async (knex) => {
      await switchOffTwoFactor(await lockFactorHolder(knex, confirmed), factorOf(body), deviceOf(request))
      return null
    })
  },
})

export const renewCodes = endpoint({
  ...grave,
  method: 'post',
  path: '/super-admin/auth/2fa/recovery-codes',
  summary: "Get ten new recovery codes for a super-admin's two-factor sign-in",
  description: `${PROOF}The old codes are void; the new ones are shown here and never again.`,
  body: SecondFactorBody,
  returns: [200, RecoveryCodesView],
  errors: ofAccounts.renewCodes.errors,
  example: ofAccounts.renewCodes.example,
  async handle({ superAdmin, body, change }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    return change.inPlatform(async (knex) => ({
      recovery_codes: await renewRecoveryCodes(await lockFactorHolder(knex, confirmed), factorOf(body)),
    }))
  },
})
