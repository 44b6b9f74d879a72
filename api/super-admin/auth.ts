import { Type } from 'typebox'
import { tokenPairExample } from '#api/identity/examples.ts'
import { closeSessionsOf, readPlatformToken, refreshSession } from '#api/identity/refresh-tokens.ts'
import { clientOf, passwordSignInOf } from '#api/identity/request.ts'
import { LogoutQuery, RefreshTokenRequest } from '#api/identity/schemas.ts'
import { SuperAdminSignedIn, viewSuperAdminSignedIn } from '#api/identity/view.ts'
import { openToSuperAdmins, superAdmin } from '#api/platform/auth/access.ts'
import { nearLimit } from '#api/platform/challenge/challenge-rule.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { signInSuperAdmin } from '#shared/accounts/sign-in-by-password.ts'
import { AuthErrors, CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { TokenPairView, viewTokenPair } from '#shared/identity/sessions/token-pair.ts'
import { readSuperAdminProfile, SuperAdminProfileView } from '#shared/super-admin/super-admin.ts'
import { SuperAdminLoginRequest } from './schemas.ts'

const example = { id: '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21', email: 'root@example.com' }

export const superAdminSignIn = endpoint({
  method: 'post',
  path: '/super-admin/auth/login',
  access: openToSuperAdmins,
  limits: [limits.api, limits.login],
  challenge: nearLimit,
  summary: 'Sign in as a super-admin',
  description:
    'With two-factor sign-in, a request without a code returns `auth.totp_required`: repeat it with a code. Failed ' +
    'sign-ins are limited by address, as those of POST /auth/login. A super-admin cannot reset the password by mail, ' +
    'only by `npm run super-admin` on the server.',
  body: SuperAdminLoginRequest,
  returns: [200, SuperAdminSignedIn],
  errors: CREDENTIAL_ERRORS,
  example: {
    body: { email: example.email, password: 'correct horse battery' },
    data: { ...tokenPairExample, expires_in: 900, super_admin: example },
  },
  async handle({ body, request }) {
    return viewSuperAdminSignedIn(await signInSuperAdmin(passwordSignInOf(body), clientOf(request)))
  },
})

export const superAdminRefresh = endpoint({
  method: 'post',
  path: '/super-admin/auth/refresh',
  access: openToSuperAdmins,
  limits: [limits.api],
  summary: "Exchange a super-admin's refresh token for a new pair",
  description:
    'Store the new refresh token each time. For 60 seconds, the old one returns the same new one again. After that, ' +
    'its use closes the session with `auth.refresh_token_reused`.',
  body: RefreshTokenRequest,
  returns: [200, TokenPairView],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.refreshTokenReused, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: tokenPairExample },
  async handle({ body, request }) {
    return viewTokenPair(await refreshSession(readPlatformToken(body.refresh_token), request))
  },
})

export const superAdminSignOut = endpoint({
  method: 'post',
  path: '/super-admin/auth/logout',
  access: openToSuperAdmins,
  audit: { action: 'postSuperAdminAuthLogout', resource: 'super-admins' },
  limits: [limits.api],
  transaction: 'manual',
  summary: "Close a super-admin's session, or all of them",
  query: LogoutQuery,
  body: RefreshTokenRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: null },
  async handle({ body, query, request, unitOfWork }) {
    return closeSessionsOf(readPlatformToken(body.refresh_token), query, { request, unitOfWork })
  },
})

export const readSuperAdmin = endpoint({
  method: 'get',
  path: '/super-admin/auth/me',
  access: superAdmin,
  summary: 'Read the signed-in super-admin',
  returns: [200, SuperAdminProfileView],
  example: { data: { ...example, two_factor_enabled: true, recovery_codes_remaining: 9 } },
  async handle({ superAdmin }) {
    return readSuperAdminProfile(superAdmin)
  },
})
