import { defineErrors } from '#shared/platform/errors.ts'

/** Expired tokens have the codes of expired sessions, so that a client handles both alike. */
export const ApiTokenErrors = defineErrors({
  forbidden: {
    code: 'auth.api_token_forbidden',
    status: 403,
    message: 'API tokens do not manage users or credentials. Sign in as a member of the staff.',
  },
  revoked: {
    code: 'auth.session_revoked',
    status: 401,
    message: 'This API token was revoked, or its creator is no longer on the staff. Use another one.',
  },
  expired: {
    code: 'auth.token_expired',
    status: 401,
    message: 'This API token has expired. Use another one, or change its expiry.',
  },
  testOnly: {
    code: 'auth.not_authenticated',
    status: 401,
    message: 'This is a test token, which production does not take. Use a live one.',
  },
})
