import { Type } from 'typebox'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { setPassword } from '#shared/identity/passwords/set-password.ts'
import { confirmCurrent, type OwnAccounts } from './own-account.ts'
import { deviceOf } from './request.ts'

/** Returns the operation with which account holders change their password. */
export const changePasswordOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    method: 'post',
    path: `${accounts.base}/password`,
    access: accounts.access,
    audit: { action: accounts.audit.changePassword, resource: accounts.audit.resource },
    limits: [accounts.limit, limits.codes],
    ...takesPassword,
    summary: `Change ${accounts.possessive} password`,
    description: 'Takes the present one. All other sessions close, and a mail notifies the owner.',
    body: accounts.passwordBody,
    returns: [200, Type.Null()],
    errors: [AuthErrors.invalidCredentials],
    example: {
      body: { current_password: 'correct horse battery', password: 'staple by staple' },
      data: null,
    },
    async handle(call) {
      const { current, change } = await confirmCurrent(accounts, call)
      const passwordHash = await hashPassword(call.body.password, current.account.id)
      const given = { passwordHash, device: deviceOf(call.request), keep: current.sessionId }
      await change((tx, holder) => setPassword(tx, holder, { ...given, reason: 'password_changed' }))
      return null
    },
  })
