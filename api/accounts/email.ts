import { Type } from 'typebox'
import { customer, open } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { lockCustomer } from '#shared/customers/customer.ts'
import { sendVerification } from '#shared/customers/verify-email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { linkTokenExample } from './examples.ts'
import { verify } from './links.ts'
import { VerifyBody } from './schemas.ts'

export const verifyEmail = endpoint({
  method: 'post',
  path: '/auth/email/verify',
  access: open,
  limits: [limits.api, limits.codes],
  summary: 'Confirm an e-mail address by a mailed link',
  description:
    'Registration mails the link, which works once and for three days. An unverified customer can do all that a ' +
    'verified one can. Identity providers are linked to verified addresses only.',
  body: VerifyBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.linkInvalid],
  example: { body: { token: linkTokenExample }, data: null },
  async handle({ store, body }) {
    await verify(store, body.token)
    return null
  },
})

export const askForVerification = endpoint({
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
