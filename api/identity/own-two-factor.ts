import type { Static } from 'typebox'
import { Type } from 'typebox'
import { renderSVG } from 'uqr'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors, CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { disableTwoFactor } from '#shared/identity/two-factor/disable-two-factor.ts'
import { enableTwoFactor } from '#shared/identity/two-factor/enable-two-factor.ts'
import { renewRecoveryCodes } from '#shared/identity/two-factor/renew-recovery-codes.ts'
import { setUpTwoFactor } from '#shared/identity/two-factor/set-up-two-factor.ts'
import { RecoveryCodesView, TwoFactorSetupView } from '#shared/identity/two-factor/two-factor.ts'
import { recoveryCodesExample, twoFactorSetupExample } from './examples.ts'
import { changeReauthenticated, confirmCurrentPassword, type OwnAccounts } from './own-account.ts'
import { deviceOf } from './request.ts'
import { ConfirmPasswordRequest, ConfirmSecondFactorRequest, EnableTwoFactorRequest } from './schemas.ts'

const passwordOperation = <C>({ access, limit }: OwnAccounts<C>) =>
  ({ ...takesPassword, method: 'post', access, limits: [limit, limits.codes] }) as const

/** Returns the name of two-factor sign-in in summaries. */
const nameOf = ({ possessive }: { possessive: string }) =>
  possessive === 'your' ? 'two-factor sign-in' : "a super-admin's two-factor sign-in"

const password = 'correct horse battery'
const secondFactorOperation = {
  body: ConfirmSecondFactorRequest,
  errors: [...CREDENTIAL_ERRORS, AuthErrors.totpNotEnabled],
}
const passwordAndCodeExample = { current_password: password, totp_code: '492039' }
const TAKES_PASSWORD_AND_CODE = 'Takes the password and a `totp_code` or a `recovery_code`. '

const setUpOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    ...passwordOperation(accounts),
    path: `${accounts.base}/2fa/setup`,
    audit: { action: accounts.audit.setUpTwoFactor, resource: accounts.audit.resource },
    summary: `Get a secret for ${nameOf(accounts)}`,
    description:
      `Nothing changes until it is switched on by POST ${accounts.base}/2fa/enable; asking again ` +
      'replaces the secret.',
    body: ConfirmPasswordRequest,
    returns: [200, TwoFactorSetupView],
    errors: [AuthErrors.invalidCredentials, AuthErrors.totpAlreadyEnabled],
    example: { body: { current_password: password }, data: twoFactorSetupExample },
    async handle(call) {
      const { current, change } = await confirmCurrentPassword(accounts, call)
      return viewSetup(await change((tx, holder) => setUpTwoFactor(tx, holder, current.issuer)))
    },
  })

const enableOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    ...passwordOperation(accounts),
    path: `${accounts.base}/2fa/enable`,
    audit: { action: accounts.audit.enableTwoFactor, resource: accounts.audit.resource },
    summary: `Switch ${nameOf(accounts)} on`,
    description:
      'Requires a code of the app that has the secret. The ten recovery codes are shown only here' +
      (accounts.recoveryHint ? `. After the loss of app and codes, ${accounts.recoveryHint}.` : '.'),
    body: EnableTwoFactorRequest,
    returns: [200, RecoveryCodesView],
    errors: [
      AuthErrors.invalidCredentials,
      AuthErrors.totpInvalid,
      AuthErrors.totpNotSetUp,
      AuthErrors.totpAlreadyEnabled,
    ],
    example: { body: passwordAndCodeExample, data: recoveryCodesExample },
    async handle(call) {
      const { change } = await confirmCurrentPassword(accounts, call)
      // Do not count a wrong code: the caller already knows the secret, so it is no attack.
      const codes = await change((tx, holder) =>
        enableTwoFactor(tx, holder, call.body.totp_code, deviceOf(call.request)),
      )
      return { recovery_codes: codes }
    },
  })

const disableOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    ...passwordOperation(accounts),
    ...secondFactorOperation,
    path: `${accounts.base}/2fa/disable`,
    audit: { action: accounts.audit.disableTwoFactor, resource: accounts.audit.resource },
    summary: `Switch ${nameOf(accounts)} off`,
    description:
      `${TAKES_PASSWORD_AND_CODE}The secret and the recovery codes are deleted, and the account is notified by ` +
      'mail.',
    returns: [200, Type.Null()],
    example: { body: passwordAndCodeExample, data: null },
    async handle(call) {
      await changeReauthenticated(accounts, call, (tx, holder) =>
        disableTwoFactor(tx, holder, deviceOf(call.request)),
      )
      return null
    },
  })

const renewCodesOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    ...passwordOperation(accounts),
    ...secondFactorOperation,
    path: `${accounts.base}/2fa/recovery-codes`,
    audit: { action: accounts.audit.renewRecoveryCodes, resource: accounts.audit.resource },
    summary: `Get ten new recovery codes for ${nameOf(accounts)}`,
    description: `${TAKES_PASSWORD_AND_CODE}The old codes are void; the new ones are shown here and never again.`,
    returns: [200, RecoveryCodesView],
    example: { body: passwordAndCodeExample, data: recoveryCodesExample },
    async handle(call) {
      const codes = await changeReauthenticated(accounts, call, (tx, holder) =>
        renewRecoveryCodes(tx, holder, deviceOf(call.request)),
      )
      return { recovery_codes: codes }
    },
  })

/** Returns the operations with which account holders manage their two-factor sign-in. */
export const twoFactorOperations = <C>(accounts: OwnAccounts<C>) => ({
  setUpTwoFactor: setUpOperation(accounts),
  enableTwoFactor: enableOperation(accounts),
  disableTwoFactor: disableOperation(accounts),
  renewRecoveryCodes: renewCodesOperation(accounts),
})

/** The margin that QR readers need, in modules of the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** Returns a secret, and the address from which an app reads it, as text and as a picture. */
const viewSetup = ({ secret, uri }: { secret: string; uri: string }): Static<typeof TwoFactorSetupView> => ({
  secret,
  otpauth_uri: uri,
  qr_svg: renderSVG(uri, { border: QUIET_ZONE }),
})
