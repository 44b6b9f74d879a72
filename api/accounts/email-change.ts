import { Type } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { changeEmail } from '#shared/identity/links/change-email.ts'
import { readLinkToken } from '#shared/identity/links/link.ts'
import { requestEmailChange } from '#shared/identity/links/request-email-change.ts'
import { confirmPassword } from '#shared/identity/passwords/confirm-password.ts'
import { deviceOf } from './caller.ts'
import { linkTokenExample } from './examples.ts'
import { EmailBody, VerifyBody } from './schemas.ts'

export const askForOwnEmailChange = endpoint({
  method: 'post',
  path: '/auth/email',
  access: account,
  audit: { action: 'postAuthEmail', resource: 'users' },
  limits: [limits.api, limits.forgot, limits.codes],
  ...takesPassword,
  summary: 'Ask to change your e-mail address',
  description:
    'Takes the password; an account without one gets it by POST /auth/password/forgot first. Mails a link to the new ' +
    'address, good for one hour, once, and a notice to the present one; a link that was asked for before is void, and at ' +
    'most five are sent within an hour, by an account or to a mailbox. Nothing changes until its token comes to POST /auth/email/confirm. The answer is ' +
    'the same where the address is somebody else’s: they are mailed that it was asked for.',
  body: EmailBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.invalidCredentials],
  example: {
    body: { email: 'ada@byron.example', current_password: 'correct horse battery' },
    data: null,
  },
  async handle({ store, account, body: { email, current_password }, request, unitOfWork }) {
    const confirmed = await confirmPassword(store.id, account, current_password)
    return unitOfWork.inStore(store.id, async (tx) => {
      await requestEmailChange(tx, confirmed, { email, device: deviceOf(request) })
      return null
    })
  },
})

export const changeOwnEmail = endpoint({
  method: 'post',
  path: '/auth/email/confirm',
  access: account,
  audit: { action: 'postAuthEmailConfirm', resource: 'users' },
  limits: [limits.api, limits.codes],
  summary: 'Change your e-mail address by a mailed link',
  description:
    'Takes the link and a session of the account that asked for it: a link in a mistyped mailbox opens nothing. The ' +
    'address counts as confirmed. All other sessions close, links that were mailed before are void, and a mail to the ' +
    'address so far tells of the change. Linked identity providers stay linked; orders keep the address they were made ' +
    'with.',
  body: VerifyBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid, AuthErrors.emailTaken],
  example: { body: { token: linkTokenExample }, data: null },
  async handle({ tx, account, body, request }) {
    const { sessionId: keep } = account
    await changeEmail(tx, readLinkToken(body.token), { account, keep, device: deviceOf(request) })
    return null
  },
})
