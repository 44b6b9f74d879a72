import type { Static } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { registerCustomer } from '#shared/customers/account/register-customer.ts'
import { viewCustomer } from '#shared/customers/customer.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { callerByNetwork } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { openSession, viewTokenPair } from '#shared/identity/sessions/open-session.ts'
import type { Store } from '#shared/stores/store.ts'
import { ownCustomerExample, tokenPairExample } from './examples.ts'
import { deviceOf, mergeGuestCart } from './request.ts'
import { RegisterRequest } from './schemas.ts'
import { CustomerSignedIn } from './view.ts'

export const register = endpoint({
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
    return signUp(store, body, request, unitOfWork)
  },
})

/** Creates a customer and signs them in. It hashes the password first, so that no connection waits for it. */
async function signUp(
  store: Store,
  body: Static<typeof RegisterRequest>,
  request: RequestInfo,
  unitOfWork: UnitOfWork,
) {
  const { password, accepts_marketing: acceptsMarketing, ...given } = body
  const passwordHash = await hashPassword(password, callerByNetwork(store.id, request.ip))
  return unitOfWork.inStore(store.id, async (tx) => {
    const customer = await registerCustomer(tx, {
      ...given,
      passwordHash,
      acceptsMarketing,
      language: request.language,
    })
    const tokens = await openSession(tx, { type: 'customer', id: customer.id }, deviceOf(request))
    await mergeGuestCart(tx, customer.id, request)
    return { ...viewTokenPair(tokens), customer: viewCustomer(customer) }
  })
}
