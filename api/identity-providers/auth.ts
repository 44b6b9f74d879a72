import { Type } from 'typebox'
import { ownCustomerExample, tokenPairExample } from '#api/identity/examples.ts'
import { clientOf } from '#api/identity/request.ts'
import { CustomerSignedIn, StaffSignedIn, viewStoreSignedIn } from '#api/identity/view.ts'
import { open, storefront } from '#api/platform/auth/access.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { exchangeCode } from '#shared/accounts/exchange-code.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { listActiveIdentityProviders } from '#shared/identity-providers/identity-provider.ts'
import { SignInProviderView, viewSignInProvider } from '#shared/identity-providers/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { handleCallback } from './handle-callback.ts'
import { toPresentedCode } from './read-request.ts'
import {
  AuthorizeQuery,
  CallbackParams,
  CallbackQuery,
  ExchangeCodeRequest,
  ProviderCodeParams,
  SignInProvidersQuery,
} from './schemas.ts'
import { startSignIn } from './start-sign-in.ts'

export const listSignInProviders = endpoint({
  method: 'get',
  path: '/auth/oauth/providers',
  access: storefront,
  summary: 'List the identity providers to sign in by',
  query: SignInProvidersQuery,
  returns: [200, Type.Array(SignInProviderView)],
  example: { data: [{ code: 'sandbox', name: 'Sandbox' }] },
  async handle({ tx, query }) {
    return (await listActiveIdentityProviders(tx, query.audience)).map(viewSignInProvider)
  },
})

export const authorize = endpoint({
  method: 'get',
  path: '/auth/oauth/:provider/authorize',
  access: open,
  summary: 'Redirect to an identity provider',
  description:
    'A link for the browser to follow, not to fetch. The browser gets a cookie that binds the sign-in to it, and is ' +
    'redirected to the provider (OpenID Connect: authorization code, PKCE, state, nonce), then to …/callback, then ' +
    'to `redirect_url`.',
  params: ProviderCodeParams,
  query: AuthorizeQuery,
  returns: [302, Type.Null()],
  errors: [
    StoreAccessErrors.required,
    CommonErrors.notFound,
    OauthErrors.redirectNotAllowed,
    OauthErrors.providerUnavailable,
  ],
  example: { data: null },
  async handle({ store, params, query, request }) {
    return startSignIn(store, params.provider, query, request)
  },
})

/** The values of `error` in the URL of the sign-in page. */
const RETURNED = [
  OauthErrors.denied,
  OauthErrors.answerInvalid,
  OauthErrors.providerUnavailable,
  OauthErrors.emailUnverified,
  OauthErrors.passwordRequired,
  OauthErrors.linkedElsewhere,
  OauthErrors.accountUnavailable,
  AuthErrors.emailTaken,
]

export const callback = endpoint({
  method: 'get',
  path: '/auth/oauth/:provider/callback',
  access: open,
  summary: 'Receive the callback of an identity provider',
  description:
    'Redirects to the `redirect_url` of the authorization, with its `state`. On success it adds a `code` for POST ' +
    '/auth/oauth/exchange, valid once within 60 seconds. On failure it adds `error` and `error_description`. Errors: ' +
    `${RETURNED.map(({ kind }) => `\`${kind.code}\``).join(', ')}. An identity is linked to the account with its ` +
    'verified e-mail address, and the holder gets a mail. A customer without an account gets one; staff do not.',
  params: CallbackParams,
  query: CallbackQuery,
  returns: [302, Type.Null()],
  errors: [CommonErrors.notFound, OauthErrors.stateInvalid, OauthErrors.redirectNotAllowed],
  example: { data: null },
  async handle({ store, params, query, request }) {
    return handleCallback(store, params.provider, query, request)
  },
})

export const exchange = endpoint({
  method: 'post',
  path: '/auth/oauth/exchange',
  access: open,
  limits: [limits.api, limits.codes],
  summary: 'Exchange a one-time code for tokens',
  description:
    'Returns what POST /auth/login returns. After `auth.totp_required`, send the same request with a code of the ' +
    "app. The guest's cart of X-Cart-Token is merged into the customer's cart.",
  body: ExchangeCodeRequest,
  returns: [200, Type.Union([CustomerSignedIn, StaffSignedIn])],
  errors: [
    OauthErrors.codeInvalid,
    OauthErrors.accountUnavailable,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
  ],
  example: {
    body: { code: `cx_oc_${'x'.repeat(86)}` },
    data: { ...tokenPairExample, customer: ownCustomerExample },
  },
  async handle({ store, body, request }) {
    return viewStoreSignedIn(await exchangeCode(store, toPresentedCode(body), clientOf(request)))
  },
})
