import { Type } from 'typebox'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { renewSignIn } from '#shared/identity/reauthentication/renew-sign-in.ts'
import { changeReauthenticated, type OwnAccounts } from './own-account.ts'
import { ConfirmSecondFactorRequest } from './schemas.ts'

/** Returns the operation with which account holders renew the sign-in of their session. */
export const reauthenticateOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    method: 'post',
    path: `${accounts.base}/reauthenticate`,
    access: accounts.access,
    audit: { action: accounts.audit.reauthenticate, resource: accounts.audit.resource },
    limits: [accounts.limit, limits.codes],
    ...takesPassword,
    summary: `Renew ${accounts.possessive} sign-in of this session`,
    description:
      'Takes the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. For an hour, the session ' +
      'can make changes that return `auth.reauthentication_required` otherwise. Other sessions stay as they are. An ' +
      'account without a password signs in again instead.',
    body: ConfirmSecondFactorRequest,
    returns: [200, Type.Null()],
    errors: CREDENTIAL_ERRORS,
    example: { body: { current_password: 'correct horse battery', totp_code: '492039' }, data: null },
    async handle(call) {
      const { account, sessionId } = accounts.currentOf(call)
      await changeReauthenticated(accounts, call, (tx) => renewSignIn(tx, account, sessionId))
      return null
    },
  })
