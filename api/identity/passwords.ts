import { Type } from 'typebox'
import { open } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { prepareReset } from '#shared/accounts/prepare-reset.ts'
import { resetPassword as reset } from '#shared/accounts/reset-password.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { requestPasswordReset as requestReset } from '#shared/identity/passwords/request-password-reset.ts'
import { linkTokenExample } from './examples.ts'
import { ACCOUNT_KIND, accountScopeOf, deviceOf } from './request.ts'
import { ForgotPasswordRequest, ResetPasswordRequest } from './schemas.ts'

export const requestPasswordReset = endpoint({
  method: 'post',
  path: '/auth/password/forgot',
  access: open,
  limits: [limits.api, limits.forgot],
  challenge: nearLimit,
  summary: 'Ask for a link to choose a new password',
  description:
    `Mails a link to the address of an account. ${ACCOUNT_KIND}. The response is the same whether or not the address ` +
    'has an account. The link works once, for one hour; its token goes to POST /auth/password/reset.',
  body: ForgotPasswordRequest,
  returns: [200, Type.Null()],
  errors: [StoreAccessErrors.required],
  example: { body: { email: 'ada@example.com' }, data: null },
  async handle({ store, body }) {
    const { type, storeId } = accountScopeOf(store, body.account)
    await requestReset(type, storeId, body.email)
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
    'Closes all sessions of the account. Two-factor sign-in stays on. But if this link is the first proof of the ' +
    'address, another person may have created the account. Then the reset switches two-factor sign-in off, deletes ' +
    'links to identity providers, and of a customer who had a password also the address book, telephone number and ' +
    'cart.',
  body: ResetPasswordRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid],
  example: { body: { token: linkTokenExample, password: 'staple by staple' }, data: null },
  async handle({ store, body, request, unitOfWork }) {
    const { link, account, passwordHash } = await prepareReset(store, body.token, body.password)
    const change = { passwordHash, device: deviceOf(request) }
    const caller = { account: { ...account, sessionId: null } }
    await unitOfWork.inStore(link.storeId, (tx) => reset(tx, link, change), caller)
    return null
  },
})
