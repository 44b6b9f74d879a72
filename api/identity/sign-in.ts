import { open } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { signInByPassword } from '#shared/accounts/sign-in-by-password.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { ownCustomerExample, tokenPairExample } from './examples.ts'
import { ACCOUNT_KIND, accountScopeOf, clientOf, passwordSignInOf } from './request.ts'
import { LoginRequest } from './schemas.ts'
import { SignedInView, viewSignedIn } from './view.ts'

export const signIn = endpoint({
  method: 'post',
  path: '/auth/login',
  access: open,
  limits: [limits.api, limits.login],
  challenge: nearLimit,
  summary: 'Sign in as a customer, as staff or as a super-admin',
  description:
    `${ACCOUNT_KIND} or a super-admin. The cart named by X-Cart-Token is merged into that of the customer. With ` +
    'two-factor sign-in, a request without a code returns `auth.totp_required`: repeat it with a code. After 100 ' +
    'failed sign-ins with an address within an hour (LIMIT_FAILURES), unknown devices must wait or reset the ' +
    'password by mail. The known devices of the account share a limit of their own, of the same size.',
  body: LoginRequest,
  returns: [200, SignedInView],
  errors: [StoreAccessErrors.required, ...CREDENTIAL_ERRORS],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery' },
    data: { ...tokenPairExample, customer: ownCustomerExample },
  },
  async handle({ store, body, request }) {
    const { type, storeId } = accountScopeOf(store, body.account)
    return viewSignedIn(await signInByPassword(type, storeId, passwordSignInOf(body), clientOf(request)))
  },
})
