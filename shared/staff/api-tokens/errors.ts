import { AuthErrors } from '#shared/identity/errors.ts'
import { defineErrors, withAdvice } from '#shared/platform/errors.ts'

/** Expired tokens have the codes of expired sessions, so that a client handles both alike. */
export const ApiTokenErrors = defineErrors({
  forbidden: {
    code: 'auth.api_token_forbidden',
    status: 403,
    message: 'API tokens do not manage users or credentials. Sign in as a member of the staff.',
  },
  revoked: withAdvice(
    AuthErrors.sessionRevoked,
    'This API token was revoked, or its creator is no longer on the staff. Use another one.',
  ),
  expired: withAdvice(
    AuthErrors.tokenExpired,
    'This API token has expired. Use another one, or change its expiry.',
  ),
  testOnly: withAdvice(
    AuthErrors.notAuthenticated,
    'This is a test token, which production does not take. Use a live one.',
  ),
})
