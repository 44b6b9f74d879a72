import { Type } from 'typebox'
import { AuthErrors } from '#shared/accounts/errors.ts'
import {
  prepareTwoFactor,
  renewRecoveryCodes,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#shared/accounts/two-factor/factor-holder.ts'
import { RecoveryCodesView, TwoFactorSetupView } from '#shared/accounts/two-factor/view.ts'
import { confirmPassword } from '#shared/identity/confirm-password.ts'
import { lockFactorHolder } from '#shared/identity/lock-factor-holder.ts'
import { account } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { limits } from '../platform/limits.ts'
import { deviceOf, factorOf } from './caller.ts'
import { recoveryCodesExample, twoFactorSetupExample } from './examples.ts'
import { ConfirmBody, EnableTwoFactorBody, SecondFactorBody } from './schemas.ts'
import { viewTwoFactorSetup } from './two-factor-setup.ts'

// Each asks for the password, whose slow hash comes before the transaction; and no record of an Idempotency-Key may
// keep a quick hash of it, nor the secrets of the answer.
const grave = {
  access: account,
  limits: [limits.api, limits.codes],
  transaction: 'own',
  idempotency: 'none',
} as const
const PROOF = 'Takes the password and a `totp_code` or a `recovery_code`. '

export const setUp = endpoint({
  ...grave,
  method: 'post',
  path: '/auth/2fa/setup',
  summary: 'Get a secret for two-factor sign-in',
  description:
    'Nothing changes until it is switched on by POST /auth/2fa/enable; asking again replaces the secret.',
  body: ConfirmBody,
  returns: [200, TwoFactorSetupView],
  errors: [AuthErrors.invalidCredentials, AuthErrors.totpAlreadyEnabled],
  example: { body: { current_password: 'correct horse battery' }, data: twoFactorSetupExample },
  async handle({ store, account, body, change }) {
    const confirmed = await confirmPassword(store.id, account, body.current_password)
    return viewTwoFactorSetup(
      await change.inStore(store.id, async (tx) =>
        prepareTwoFactor(await lockFactorHolder(tx, confirmed, store)),
      ),
    )
  },
})

export const enable = endpoint({
  ...grave,
  method: 'post',
  path: '/auth/2fa/enable',
  summary: 'Switch two-factor sign-in on',
  description:
    'Takes a code of the app that was given the secret. The ten recovery codes are shown here and never again.',
  body: EnableTwoFactorBody,
  returns: [200, RecoveryCodesView],
  errors: [
    AuthErrors.invalidCredentials,
    AuthErrors.totpInvalid,
    AuthErrors.totpNotSetUp,
    AuthErrors.totpAlreadyEnabled,
  ],
  example: {
    body: { current_password: 'correct horse battery', totp_code: '492039' },
    data: recoveryCodesExample,
  },
  async handle({ store, account, body, request, change }) {
    const confirmed = await confirmPassword(store.id, account, body.current_password)
    const codes = await change.inStore(store.id, async (tx) =>
      switchOnTwoFactor(await lockFactorHolder(tx, confirmed, store), body.totp_code, deviceOf(request)),
    )
    return { recovery_codes: codes }
  },
})

export const disable = endpoint({
  ...grave,
  method: 'post',
  path: '/auth/2fa/disable',
  summary: 'Switch two-factor sign-in off',
  description: `${PROOF}Secret and recovery codes are deleted, and a mail tells of it.`,
  body: SecondFactorBody,
  returns: [200, Type.Null()],
  errors: [
    AuthErrors.invalidCredentials,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
    AuthErrors.totpNotEnabled,
  ],
  example: { body: { current_password: 'correct horse battery', totp_code: '492039' }, data: null },
  async handle({ store, account, body, request, change }) {
    const confirmed = await confirmPassword(store.id, account, body.current_password)
    await change.inStore(store.id, async (tx) =>
      switchOffTwoFactor(await lockFactorHolder(tx, confirmed, store), factorOf(body), deviceOf(request)),
    )
    return null
  },
})

export const renewCodes = endpoint({
  ...grave,
  method: 'post',
  path: '/auth/2fa/recovery-codes',
  summary: 'Get ten new recovery codes',
  description: `${PROOF}The old codes are void; the new ones are shown here and never again.`,
  body: SecondFactorBody,
  returns: [200, RecoveryCodesView],
  errors: [
    AuthErrors.invalidCredentials,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
    AuthErrors.totpNotEnabled,
  ],
  example: {
    body: { current_password: 'correct horse battery', totp_code: '492039' },
    data: recoveryCodesExample,
  },
  async handle({ store, account, body, change }) {
    const confirmed = await confirmPassword(store.id, account, body.current_password)
    const codes = await change.inStore(store.id, async (tx) =>
      renewRecoveryCodes(await lockFactorHolder(tx, confirmed, store), factorOf(body)),
    )
    return { recovery_codes: codes }
  },
})
