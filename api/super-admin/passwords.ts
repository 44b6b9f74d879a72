import { Type } from 'typebox'
import { deviceOf } from '#api/accounts/caller.ts'
import { superAdmin } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { confirmPassword } from '#shared/super-admin/confirm-password.ts'
import { setPassword } from '#shared/super-admin/set-password.ts'
import { SuperAdminPasswordBody } from './schemas.ts'

export const changeOwnPassword = endpoint({
  method: 'post',
  path: '/super-admin/auth/password',
  access: superAdmin,
  audit: { action: 'postSuperAdminAuthPassword', resource: 'super-admins' },
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
  async handle({ superAdmin, body, request, unitOfWork }) {
    const confirmed = await confirmPassword(superAdmin, body.current_password)
    const passwordHash = await hashPassword(body.password)
    const { sessionId: keep } = superAdmin
    return unitOfWork.inPlatform(async (knex) => {
      await setPassword(knex, confirmed, { passwordHash, keep, device: deviceOf(request) })
      return null
    })
  },
})
