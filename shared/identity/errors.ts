import { defineErrors } from '#shared/platform/errors.ts'

export const AuthErrors = defineErrors({
  notAuthenticated: {
    code: 'auth.not_authenticated',
    status: 401,
    message:
      'There is no access token, or none that is taken here. Sign in by POST /auth/login, then send "Authorization: Bearer <access_token>".',
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
    message: ({ right }) =>
      `This takes ${right ? `the permission "${right}"` : 'a permission'}, which your role or API token does not hold. Ask an administrator of the store for it.`,
  },
  invalidCredentials: {
    code: 'auth.invalid_credentials',
    status: 401,
    message:
      'The e-mail address or the password is wrong. Try again, or choose another password by POST /auth/password/forgot: that is also how an account without a password gets one.',
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
  linkInvalid: {
    code: 'auth.link_invalid',
    status: 400,
    message: 'This link was used already, has expired or is not one of ours. Ask for a new one.',
  },
  totpRequired: {
    code: 'auth.totp_required',
    status: 401,
    message: 'Two-factor sign-in is on. Repeat with `totp_code` from the app, or with a `recovery_code`.',
  },
  totpInvalid: {
    code: 'auth.totp_invalid',
    status: 401,
    message: 'The code is wrong or was used already. Wait for the next one, or use another recovery code.',
  },
  totpNotSetUp: {
    code: 'auth.totp_not_set_up',
    status: 409,
    message: 'There is no secret to switch on. Ask for one from POST …/auth/2fa/setup first.',
  },
  totpAlreadyEnabled: {
    code: 'auth.totp_already_enabled',
    status: 409,
    message: 'Two-factor sign-in is on already. Switch it off before you set it up anew.',
  },
  totpNotEnabled: {
    code: 'auth.totp_not_enabled',
    status: 409,
    message: 'Two-factor sign-in is not on. It is set up by POST /auth/2fa/setup.',
  },
  triedTooOften: {
    code: 'rate_limit.exceeded',
    status: 429,
    message:
      'Too many passwords or codes for this address were wrong. Wait for the seconds that Retry-After names, sign in from where you did before, or choose a new password by POST /auth/password/forgot: where you do that, you can sign in at once.',
  },
  confirmedTooOften: {
    code: 'rate_limit.exceeded',
    status: 429,
    message:
      'Too many passwords that this account was asked for again were wrong. Wait for the seconds that Retry-After names, or choose a new one by POST /auth/password/forgot and sign in with it.',
  },
  codesTriedTooOften: {
    code: 'rate_limit.exceeded',
    status: 429,
    message:
      'Too many codes of this account were wrong. Wait for the seconds that Retry-After names: no other password, device or code helps before.',
  },
  tenantUnavailable: {
    code: 'auth.tenant_unavailable',
    status: 403,
    message: 'This store is closed. Its owner, or whoever runs the platform, can tell you more.',
  },
  supportForbidden: {
    code: 'auth.support_forbidden',
    status: 403,
    message:
      'Whoever signed in to help has no account here, and manages no users or credentials. Ask the store owner.',
  },
})
