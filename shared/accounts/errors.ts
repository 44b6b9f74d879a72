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
  tenantUnavailable: {
    code: 'auth.tenant_unavailable',
    status: 403,
    message: 'This store is not available any more.',
  },
})
