import { Type } from 'typebox'
import { AuthErrors } from '#shared/accounts/errors.ts'
import { hashPassword } from '#shared/accounts/password.ts'
import { confirmPassword } from '#shared/super-admin/confirm-password.ts'
import { setPassword } from '#shared/super-admin/set-password.ts'
import { deviceOf } from '../accounts/caller.ts'
import { superAdmin } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { limits } from '../platform/limits.ts'
import { takesPassword } from '../platform/takes-password.ts'
import { SuperAdminPasswordBody } from './schemas.ts'

export const changeOwnPassword = endpoint({
  method: 'post',
  path: '/super-admin/auth/password',
  access: superAdmin,
  limits: [limits.admin, limits.codes],
  ...takesPassword,
  summary: "Change a super-admin's own password",
  description: 'Takes the present one. All other sessions close, and a mail tells of the change.',
  body: SuperAdminPasswordBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.invalidCredentials],
  example: {
    body: { current_password: 'correct horse battery', password: 'staple by staple' },
    data: null,
  },
  async handle({ superAdmin, body, request, change }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    const passwordHash = await hashPassword(body.password)
    const { sessionId: keep } = superAdmin
    return change.inPlatform(async (knex) => {
      await setPassword(knex, confirmed, { passwordHash, keep, device: deviceOf(request) })
      return null
    })
  },
})
