import type { Static } from 'typebox'
import { Type } from 'typebox'
import { renderSVG } from 'uqr'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { Holder } from '#shared/identity/holder.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { limitFailedCodes } from '#shared/identity/throttling/failures.ts'
import {
  prepareTwoFactor,
  renewRecoveryCodes,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#shared/identity/two-factor/manage-two-factor.ts'
import { RecoveryCodesView, TwoFactorSetupView } from '#shared/identity/two-factor/two-factor.ts'
import { deviceOf, factorOf } from './caller.ts'
import { recoveryCodesExample, twoFactorSetupExample } from './examples.ts'
import { confirmOwner, type OwnerCall, type Owners } from './owners.ts'
import { ConfirmBody, EnableTwoFactorBody, SecondFactorBody } from './schemas.ts'

/** As `confirmOwner`, for a change that takes a code as well: each wrong code may be a guess. */
async function changeByBoth<C, T>(
  owners: Owners<C>,
  call: OwnerCall<C> & { body: { current_password: string } },
  work: (tx: IdentityTx, holder: Holder) => Promise<T>,
): Promise<T> {
  const { owner, change } = await confirmOwner(owners, call)
  return limitFailedCodes(owner.account.id, null, () => change(work))
}

const byPassword = <C>({ access, limit }: Owners<C>) =>
  ({ ...takesPassword, method: 'post', access, limits: [limit, limits.codes] }) as const

/** Two-factor sign-in as summaries call it. */
const nameOf = ({ whose }: { whose: string }) =>
  whose === 'your' ? 'two-factor sign-in' : "a super-admin's two-factor sign-in"

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
    summary: `Get a secret for ${nameOf(owners)}`,
    description: `Nothing changes until it is switched on by POST ${owners.base}/2fa/enable; asking again replaces the secret.`,
    body: ConfirmBody,
    returns: [200, TwoFactorSetupView],
    errors: [AuthErrors.invalidCredentials, AuthErrors.totpAlreadyEnabled],
    example: { body: { current_password: password }, data: twoFactorSetupExample },
    async handle(call) {
      const { owner, change } = await confirmOwner(owners, call)
      return viewSetup(await change((tx, holder) => prepareTwoFactor(tx, holder, owner.issuer)))
    },
  })

const enable = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    path: `${owners.base}/2fa/enable`,
    audit: { action: owners.audit.enable, resource: owners.audit.resource },
    summary: `Switch ${nameOf(owners)} on`,
    description:
      'Requires a code of the app that has the secret. The ten recovery codes are shown only here' +
      (owners.lost ? `. After the loss of both, ${owners.lost}.` : '.'),
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
      const { change } = await confirmOwner(owners, call)
      // A code that is wrong here is no guess, and not counted: the caller was shown the secret.
      const codes = await change((tx, holder) =>
        switchOnTwoFactor(tx, holder, call.body.totp_code, deviceOf(call.request)),
      )
      return { recovery_codes: codes }
    },
  })

const disable = <C>(owners: Owners<C>) =>
  endpoint({
    ...byPassword(owners),
    ...bySecondFactor,
    path: `${owners.base}/2fa/disable`,
    audit: { action: owners.audit.disable, resource: owners.audit.resource },
    summary: `Switch ${nameOf(owners)} off`,
    description: `${TAKES_BOTH}The secret and the recovery codes are deleted, and the account is notified by mail.`,
    returns: [200, Type.Null()],
    example: { body: bothExample, data: null },
    async handle(call) {
      await changeByBoth(owners, call, (tx, holder) =>
        switchOffTwoFactor(tx, holder, factorOf(call.body), deviceOf(call.request)),
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
    summary: `Get ten new recovery codes for ${nameOf(owners)}`,
    description: `${TAKES_BOTH}The old codes are void; the new ones are shown here and never again.`,
    returns: [200, RecoveryCodesView],
    example: { body: bothExample, data: recoveryCodesExample },
    async handle(call) {
      const codes = await changeByBoth(owners, call, (tx, holder) =>
        renewRecoveryCodes(tx, holder, factorOf(call.body), deviceOf(call.request)),
      )
      return { recovery_codes: codes }
    },
  })

/** The operations by which owners look after their two-factor sign-in. */
export const twoFactorOperations = <C>(owners: Owners<C>) => ({
  setUp: setUp(owners),
  enable: enable(owners),
  disable: disable(owners),
  renewCodes: renewCodes(owners),
})

/** The margin that readers need, in modules of the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A secret, and the address that an app reads it from, as text and as a picture. */
const viewSetup = ({ secret, uri }: { secret: string; uri: string }): Static<typeof TwoFactorSetupView> => ({
  secret,
  otpauth_uri: uri,
  qr_svg: renderSVG(uri, { border: QUIET_ZONE }),
})
