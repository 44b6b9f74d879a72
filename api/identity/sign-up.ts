import { storefront } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { signUp as signUpCustomer } from '#shared/accounts/sign-up.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { callerByNetwork } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { ownCustomerExample, tokenPairExample } from './examples.ts'
import { clientOf } from './request.ts'
import { RegisterRequest } from './schemas.ts'
import { CustomerSignedIn, viewSignedUp } from './view.ts'

export const signUp = endpoint({
  method: 'post',
  path: '/auth/register',
  access: storefront,
  limits: [limits.api, limits.register],
  challenge: nearLimit,
  ...takesPassword,
  summary: 'Open a customer account and sign in',
  description:
    "The cart named by X-Cart-Token is merged into the account's. Tokens are never stored, so an " +
    'Idempotency-Key has no effect here: a repeat returns `auth.email_taken`, and the customer can sign in.',
  body: RegisterRequest,
  returns: [201, CustomerSignedIn],
  errors: [AuthErrors.emailTaken],
  example: {
    body: {
      email: 'ada@example.com',
      password: 'correct horse battery',
      firstname: 'Ada',
      lastname: 'Byron',
      telephone: '+49 30 901820',
    },
    data: { ...tokenPairExample, customer: ownCustomerExample },
  },
  async handle({ store, body, request, unitOfWork }) {
    const { password, ...given } = body
    const passwordHash = await hashPassword(password, callerByNetwork(store.id, request.ip))
    const newcomer = { ...toCamelCase(given), passwordHash, language: request.language }
    return unitOfWork.inStore(store.id, async (tx) =>
      viewSignedUp(await signUpCustomer(tx, newcomer, clientOf(request))),
    )
  },
})
