import { Type } from 'typebox'
import { account, open, storefront } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { TokenPairView, viewTokenPair } from '#shared/identity/sessions/open-session.ts'
import { ownCustomerExample, profileExample, tokenPairExample } from './examples.ts'
import { readProfile, updateAccountProfile } from './profile.ts'
import { closeSessionsOf, readOwnToken, refreshSession } from './refresh-tokens.ts'
import {
  LoginRequest,
  LogoutQuery,
  RefreshTokenRequest,
  RegisterRequest,
  UpdateProfileRequest,
} from './schemas.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { CustomerSignedIn, ProfileView, SignedInView } from './view.ts'

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
  async handle({ store, body, request }) {
    return signUp(store, body, request)
  },
})

export const login = endpoint({
  method: 'post',
  path: '/auth/login',
  access: open,
  limits: [limits.api, limits.login],
  challenge: nearLimit,
  summary: 'Sign in as a customer, as staff or as a super-admin',
  description:
    'Signs in a customer where a store is named (X-Service-Key or its domain), else a staff member or super-admin; `account` ' +
    'says otherwise. The cart named by X-Cart-Token is merged into that of the customer. Where two-factor sign-in is on, ' +
    '`auth.totp_required` asks for the same again with a code. After 100 failed sign-ins with an address within an hour ' +
    '(LIMIT_FAILURES), unknown devices must wait or reset the password by mail. Known devices share as ' +
    'many tries of their own.',
  body: LoginRequest,
  returns: [200, SignedInView],
  errors: [
    StoreAccessErrors.required,
    AuthErrors.invalidCredentials,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
  ],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery' },
    data: { ...tokenPairExample, customer: ownCustomerExample },
  },
  async handle({ store, body, request }) {
    return signIn(store, body, request)
  },
})

export const refresh = endpoint({
  method: 'post',
  path: '/auth/refresh',
  access: open,
  summary: 'Exchange a refresh token for a new pair',
  description:
    'Store the new refresh token each time. For 60 seconds the exchanged one still answers with the same successor, ' +
    'so concurrent tabs do no harm. Later it is refused: a customer gets `auth.refresh_token_invalid`, a staff ' +
    'session is closed with `auth.refresh_token_reused`.',
  body: RefreshTokenRequest,
  returns: [200, TokenPairView],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.refreshTokenReused, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: tokenPairExample },
  async handle({ store, body, request }) {
    return viewTokenPair(await refreshSession(readOwnToken(store, body.refresh_token), request))
  },
})

export const logout = endpoint({
  method: 'post',
  path: '/auth/logout',
  access: open,
  audit: { action: 'postAuthLogout', resource: 'users' },
  transaction: 'manual',
  summary: 'Close the session, or all of the account',
  description:
    'Closing a closed session again changes nothing. Access tokens of a closed session end with it.',
  query: LogoutQuery,
  body: RefreshTokenRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: null },
  async handle({ store, body, query, request, unitOfWork }) {
    return closeSessionsOf(readOwnToken(store, body.refresh_token), query, { request, unitOfWork })
  },
})

export const readMe = endpoint({
  method: 'get',
  path: '/auth/me',
  access: account,
  summary: 'Read your own profile',
  returns: [200, ProfileView],
  example: { data: profileExample },
  async handle({ tx, account }) {
    return readProfile(tx, account)
  },
})

export const updateMe = endpoint({
  method: 'patch',
  path: '/auth/me',
  access: account,
  audit: { action: 'patchAuthMe', resource: 'users' },
  summary: 'Change your own profile',
  description:
    'Staff have a name to change; customers a telephone number, the language of their mails (one of the ' +
    "store's) and their wish for marketing, too.",
  body: UpdateProfileRequest,
  returns: [200, ProfileView],
  example: { body: { telephone: '+49 30 901820' }, data: profileExample },
  async handle({ tx, store, account, body }) {
    return updateAccountProfile(tx, store, account, body)
  },
})
