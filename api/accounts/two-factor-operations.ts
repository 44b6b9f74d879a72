import { Type } from 'typebox'
import type { Access } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import type { UnitOfWork } from '#api/platform/pipeline/unit-of-work.ts'
import { type Limit, limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { countingCodes } from '#shared/identity/throttling/failed-codes.ts'
import {
  type FactorHolder,
  prepareTwoFactor,
  renewRecoveryCodes,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#shared/identity/two-factor/factor-holder.ts'
import { RecoveryCodesView, TwoFactorSetupView } from '#shared/identity/two-factor/view.ts'
import { deviceOf, factorOf } from './caller.ts'
import { recoveryCodesExample, twoFactorSetupExample } from './examples.ts'
import { ConfirmBody, EnableTwoFactorBody, SecondFactorBody } from './schemas.ts'
import { viewTwoFactorSetup } from './two-factor-setup.ts'

/** Those who can have two-factor sign-in, for themselves. */
interface Owners<C> {
  access: Access<C>
  limit: Limit
  /** Where they look after their sign-in. */
  base: '/auth' | '/super-admin/auth'
  /** The names of the changes in the audit log. */
  audit: { resource: string; setUp: string; enable: string; disable: string; renewCodes: string }
  /** What it is called where they read of it. */
  factor: string
  /** Who helps when app and recovery codes are lost. */
  lost?: string
  /** Takes the caller's password. */
  confirmed(call: Call<C>, password: string): Promise<ConfirmedOwner>
}

type Call<C> = Omit<C, 'tx'> & { unitOfWork: UnitOfWork }

/** One of them who has just given their password. */
interface ConfirmedOwner {
  id: string
  /** Does the work in the transaction of the change, with their account locked. */
  change<T>(work: (holder: FactorHolder) => Promise<T>): Promise<T>
}

/** Takes the caller's password and does work that takes a code besides: each that is wrong may be a guess. */
async function changeByBoth<C, T>(
  owners: Owners<C>,
  call: Call<C> & { body: { current_password: string } },
  work: (holder: FactorHolder) => Promise<T>,
): Promise<T> {
  const { id, change } = await owners.confirmed(call, call.body.current_password)
  return countingCodes(id, null, () => change(work))
}

const byPassword = <C>({ access, limit }: Owners<C>) =>
  ({ ...takesPassword, method: 'post', access, limits: [limit, limits.codes] }) as const

const password = 'correct horse battery'
const bySecondFactor = {
  body: SecondFactorBody,
  errors: [
    AuthErrors.invalidCredentials,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
    AuthErrors.totpNotEnabled,
  ],
}
const bothExample = { current_password: password, totp_code: '492039' }
const TAKES_BOTH = 'Takes the password and a `totp_code` or a `recovery_code`. '

const setUp = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    path: `${owners.base}/2fa/setup`,
    audit: { action: owners.audit.setUp, resource: owners.audit.resource },
    summary: `Get a secret for ${owners.factor}`,
    description: `Nothing changes until it is switched on by POST ${owners.base}/2fa/enable; asking again replaces the secret.`,
    body: ConfirmBody,
    returns: [200, TwoFactorSetupView],
    errors: [AuthErrors.invalidCredentials, AuthErrors.totpAlreadyEnabled],
    example: { body: { current_password: password }, data: twoFactorSetupExample },
    async handle(call) {
      const { change } = await owners.confirmed(call, call.body.current_password)
      return viewTwoFactorSetup(await change(prepareTwoFactor))
    },
  })

const enable = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    path: `${owners.base}/2fa/enable`,
    audit: { action: owners.audit.enable, resource: owners.audit.resource },
    summary: `Switch ${owners.factor} on`,
    description:
      'Takes a code of the app that was given the secret. The ten recovery codes are shown here and never again' +
      (owners.lost ? `; whoever loses them and the app ${owners.lost}.` : '.'),
    body: EnableTwoFactorBody,
    returns: [200, RecoveryCodesView],
    errors: [
      AuthErrors.invalidCredentials,
      AuthErrors.totpInvalid,
      AuthErrors.totpNotSetUp,
      AuthErrors.totpAlreadyEnabled,
    ],
    example: { body: bothExample, data: recoveryCodesExample },
    async handle(call) {
      const { current_password, totp_code } = call.body
      const { change } = await owners.confirmed(call, current_password)
      // A code that is wrong here is no guess, and not counted: the caller was shown the secret.
      const codes = await change((holder) => switchOnTwoFactor(holder, totp_code, deviceOf(call.request)))
      return { recovery_codes: codes }
    },
  })

const disable = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    ...bySecondFactor,
    path: `${owners.base}/2fa/disable`,
    audit: { action: owners.audit.disable, resource: owners.audit.resource },
    summary: `Switch ${owners.factor} off`,
    description: `${TAKES_BOTH}Secret and recovery codes are deleted, and a mail tells of it.`,
    returns: [200, Type.Null()],
    example: { body: bothExample, data: null },
    async handle(call) {
      await changeByBoth(owners, call, (holder) =>
        switchOffTwoFactor(holder, factorOf(call.body), deviceOf(call.request)),
      )
      return null
    },
  })

const renewCodes = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    ...bySecondFactor,
    path: `${owners.base}/2fa/recovery-codes`,
    audit: { action: owners.audit.renewCodes, resource: owners.audit.resource },
    summary: `Get ten new recovery codes for ${owners.factor}`,
    description: `${TAKES_BOTH}The old codes are void; the new ones are shown here and never again.`,
    returns: [200, RecoveryCodesView],
    example: { body: bothExample, data: recoveryCodesExample },
    async handle(call) {
      const codes = await changeByBoth(owners, call, (holder) =>
        renewRecoveryCodes(holder, factorOf(call.body), deviceOf(call.request)),
      )
      return { recovery_codes: codes }
    },
  })

/** The four operations by which people look after their own two-factor sign-in. */
export const twoFactorOperations = <C>(owners: Owners<C>) => ({
  setUp: setUp(owners),
  enable: enable(owners),
  disable: disable(owners),
  renewCodes: renewCodes(owners),
})
