import { defineErrors } from '../platform/errors.ts'

export const AuthErrors = defineErrors({
  notAuthenticated: {
    code: 'auth.not_authenticated',
    status: 401,
    message: 'Sign in first: send the access token as "Authorization: Bearer <token>".',
  },
  tokenExpired: {
    code: 'auth.token_expired',
    status: 401,
    message: 'The access token has expired. Get a new one from POST /auth/refresh.',
  },
  sessionRevoked: {
    code: 'auth.session_revoked',
    status: 401,
    message: 'This session was closed. Sign in again.',
  },
  forbidden: {
    code: 'auth.forbidden',
    status: 403,
    message: 'Your role does not allow this. Ask the store owner for the permission it needs.',
  },
  invalidCredentials: {
    code: 'auth.invalid_credentials',
    status: 401,
    message: 'The e-mail address or the password is wrong.',
  },
  emailTaken: {
    code: 'auth.email_taken',
    status: 409,
    message: 'There is already an account with this e-mail address. Sign in, or use another address.',
  },
  refreshTokenInvalid: {
    code: 'auth.refresh_token_invalid',
    status: 401,
    message: 'This refresh token is unknown, expired or was replaced by a newer one. Sign in again.',
  },
  refreshTokenReused: {
    code: 'auth.refresh_token_reused',
    status: 401,
    message:
      'This refresh token had been replaced by a newer one, so it may be stolen: the session was closed. Sign in again.',
  },
  tenantUnavailable: {
    code: 'auth.tenant_unavailable',
    status: 403,
    message: 'This store is not available any more.',
  },
})
