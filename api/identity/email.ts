import { Type } from 'typebox'
import { account, customer } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { sendVerification, verifyEmail } from '#shared/customers/account/verify-email.ts'
import { lockCustomer } from '#shared/customers/customer.ts'
import { changeEmail } from '#shared/identity/email-change/change-email.ts'
import { requestEmailChange } from '#shared/identity/email-change/request-email-change.ts'
import { AuthErrors, CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { readLinkToken } from '#shared/identity/links/link.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { linkTokenExample } from './examples.ts'
import { deviceOf, proofOf } from './request.ts'
import { ChangeEmailRequest, VerifyEmailRequest } from './schemas.ts'

export const verifyOwnEmail = endpoint({
  method: 'post',
  path: '/auth/email/verify',
  access: customer,
  limits: [limits.api, limits.codes],
  summary: 'Confirm an e-mail address by a mailed link',
  description:
    'Registration mails the link, which works once and for three days. Requires the link and a session of its ' +
    'account, because somebody else may have registered the address. An unverified customer can do all that a ' +
    'verified one can, but does not see the orders that were placed as a guest, and cannot apply as an ' +
    'affiliate. Identity providers are linked to verified addresses only.',
  body: VerifyEmailRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid],
  example: { body: { token: linkTokenExample }, data: null },
  async handle({ tx, customer, body }) {
    await verifyEmail(tx, readLinkToken(body.token), customer.id)
    return null
  },
})

export const requestVerification = endpoint({
  method: 'post',
  path: '/auth/email/verification',
  access: customer,
  limits: [limits.api, limits.forgot],
  summary: 'Have the confirmation mail sent again',
  description: 'At most five within an hour; none once the address is verified.',
  returns: [200, Type.Null()],
  example: { data: null },
  async handle({ tx, customer }) {
    await sendVerification(tx, await lockCustomer(tx, customer.id))
    return null
  },
})

export const requestOwnEmailChange = endpoint({
  method: 'post',
  path: '/auth/email',
  access: account,
  audit: { action: 'postAuthEmail', resource: 'users' },
  limits: [limits.api, limits.forgot, limits.codes],
  ...takesPassword,
  summary: 'Request a change of your e-mail address',
  description:
    'Requires the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. An account without a ' +
    'password sets one by POST /auth/password/forgot first. Mails a link to the new address, which works once and ' +
    'for one hour, and a notice to the current address. Earlier links become invalid. An account sends, and a ' +
    'mailbox receives, at most five links an hour. Nothing changes until POST /auth/email/confirm receives the ' +
    'token. The response is the same for an address of another account, which gets a notice instead.',
  body: ChangeEmailRequest,
  returns: [200, Type.Null()],
  errors: CREDENTIAL_ERRORS,
  example: {
    body: { email: 'ada@byron.example', current_password: 'correct horse battery' },
    data: null,
  },
  async handle({ store, account: { type, id }, body, request, unitOfWork }) {
    const wanted = { email: body.email, device: deviceOf(request) }
    await reauthenticate(store.id, { type, id }, proofOf(body), (lock) =>
      unitOfWork.inStore(store.id, async (tx) => requestEmailChange(tx, await lock(tx), wanted)),
    )
    return null
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
    'Requires the link and a session of the account that requested it, so a link in a mistyped mailbox is useless. ' +
    'The address becomes verified. All other sessions close, earlier links become invalid, and the former address is ' +
    'notified by mail. If the new address is another mailbox, the links of the account to identity providers are ' +
    'removed. Orders keep their address.',
  body: VerifyEmailRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid, AuthErrors.emailTaken],
  example: { body: { token: linkTokenExample }, data: null },
  async handle({ tx, account, body, request }) {
    const { sessionId: keep } = account
    await changeEmail(tx, readLinkToken(body.token), { account, keep, device: deviceOf(request) })
    return null
  },
})
