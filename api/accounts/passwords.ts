import { Type } from 'typebox'
import { account, open } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { StoreAccessErrors } from '#api/platform/output/errors.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { changePassword } from '#shared/credentials/change-password.ts'
import { confirmPassword } from '#shared/credentials/confirm-password.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { deviceOf } from './caller.ts'
import { linkTokenExample } from './examples.ts'
import { askForReset, reset } from './links.ts'
import { ForgotBody, PasswordBody, ResetBody } from './schemas.ts'

export const changeOwnPassword = endpoint({
  method: 'post',
  path: '/auth/password',
  access: account,
  audit: { action: 'postAuthPassword', resource: 'users' },
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: 'Change your password',
  description: 'Takes the present one. All other sessions close, and a mail tells of the change.',
  body: PasswordBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.invalidCredentials],
  example: {
    body: { current_password: 'correct horse battery', password: 'staple by staple' },
    data: null,
  },
  async handle({ store, account, body, request, unitOfWork }) {
    const confirmed = await confirmPassword(store.id, account, body.current_password)
    const passwordHash = await hashPassword(body.password)
    const given = { passwordHash, device: deviceOf(request), keep: account.sessionId }
    await unitOfWork.inStore(store.id, (tx) => changePassword(tx, confirmed, given))
    return null
  },
})

export const forgotPassword = endpoint({
  method: 'post',
  path: '/auth/password/forgot',
  access: open,
  limits: [limits.api, limits.forgot],
  summary: 'Ask for a link to choose a new password',
  description:
    'Mails a link to a customer where a store is named, else to a staff member; `account` says otherwise. The ' +
    'answer is the same whether or not the address belongs to anyone. The link works once, for one hour; its token ' +
    'goes to POST /auth/password/reset.',
  body: ForgotBody,
  returns: [200, Type.Null()],
  errors: [StoreAccessErrors.required],
  example: { body: { email: 'ada@example.com' }, data: null },
  async handle({ store, body }) {
    await askForReset(store, body)
    return null
  },
})

export const resetPassword = endpoint({
  method: 'post',
  path: '/auth/password/reset',
  access: open,
  audit: { action: 'postAuthPasswordReset', resource: 'users' },
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: 'Choose a new password by a mailed link',
  description:
    'Closes all sessions of the account. Two-factor sign-in, where it is on, stays on; but it is switched off for a ' +
    'customer whose address this is the first to prove.',
  body: ResetBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid],
  example: { body: { token: linkTokenExample, password: 'staple by staple' }, data: null },
  async handle({ store, body, request, unitOfWork }) {
    await reset(store, body, request, unitOfWork)
    return null
  },
})
