import { Type } from 'typebox'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { setPassword } from '#shared/identity/passwords/set-password.ts'
import { deviceOf } from './caller.ts'
import { confirmOwner, type Owners } from './owners.ts'

/** The operation by which owners change their password. */
export const changePasswordOperation = <C>(owners: Owners<C>) =>
  endpoint({
    method: 'post',
    path: `${owners.base}/password`,
    access: owners.access,
    audit: { action: owners.audit.changePassword, resource: owners.audit.resource },
    limits: [owners.limit, limits.codes],
    ...takesPassword,
    summary: `Change ${owners.whose} password`,
    description: 'Takes the present one. All other sessions close, and a mail notifies the owner.',
    body: owners.passwordBody,
    returns: [200, Type.Null()],
    errors: [AuthErrors.invalidCredentials],
    example: {
      body: { current_password: 'correct horse battery', password: 'staple by staple' },
      data: null,
    },
    async handle(call) {
      const { owner, change } = await confirmOwner(owners, call)
      const passwordHash = await hashPassword(call.body.password, owner.account.id)
      const given = { passwordHash, device: deviceOf(call.request), keep: owner.sessionId }
      await change((tx, holder) => setPassword(tx, holder, { ...given, reason: 'password_changed' }))
      return null
    },
  })
