import { CommonErrors, defineErrors, withAdvice } from '#shared/platform/errors.ts'

export const AuthErrors = defineErrors({
  notAuthenticated: {
    code: 'auth.not_authenticated',
    status: 401,
    message:
      'The access token is missing or not valid here. Sign in by POST /auth/login, then send "Authorization: Bearer ' +
      '<access_token>".',
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
    message: ({ right }: { right: string }) =>
      `This requires the right "${right}", which your role or API token does not have. ` +
      'Ask an administrator of the store for it.',
  },
  reauthenticationRequired: {
    code: 'auth.reauthentication_required',
    status: 403,
    message:
      'This requires a sign-in within the last hour. Send your password to POST /auth/reauthenticate (super-admins: ' +
      'POST /super-admin/auth/reauthenticate), or sign in again. Then repeat the request.',
  },
  invalidCredentials: {
    code: 'auth.invalid_credentials',
    status: 401,
    message:
      'The e-mail address or the password is wrong. Try again, or reset the password by POST /auth/password/forgot. ' +
      'A reset also sets the first password of an account.',
  },
  emailTaken: {
    code: 'auth.email_taken',
    status: 409,
    message: 'There is already an account with this e-mail address. Sign in, or use another address.',
  },
  refreshTokenInvalid: {
    code: 'auth.refresh_token_invalid',
    status: 401,
    message: 'The refresh token is unknown, expired or replaced by a newer one. Sign in again.',
  },
  refreshTokenReused: {
    code: 'auth.refresh_token_reused',
    status: 401,
    message:
      'The refresh token was already replaced by a newer one and may be stolen, so the session was closed. Sign in ' +
      'again.',
  },
  linkInvalid: {
    code: 'auth.link_invalid',
    status: 400,
    message: 'The link is used, expired or unknown. Request a new one.',
  },
  totpRequired: {
    code: 'auth.totp_required',
    status: 401,
    message:
      'Two-factor sign-in is on. Repeat the request with a `totp_code` from the app, or with a `recovery_code`.',
  },
  totpInvalid: {
    code: 'auth.totp_invalid',
    status: 401,
    message: 'The code is wrong or already used. Wait for the next code, or use another recovery code.',
  },
  totpNotSetUp: {
    code: 'auth.totp_not_set_up',
    status: 409,
    message: 'Two-factor sign-in has no secret yet. Create one by POST …/auth/2fa/setup first.',
  },
  totpAlreadyEnabled: {
    code: 'auth.totp_already_enabled',
    status: 409,
    message: 'Two-factor sign-in is already on. Switch it off before you set it up again.',
  },
  totpNotEnabled: {
    code: 'auth.totp_not_enabled',
    status: 409,
    message: 'Two-factor sign-in is off. Set it up by POST /auth/2fa/setup.',
  },
  triedTooOften: withAdvice(
    CommonErrors.rateLimitExceeded,
    'Too many wrong passwords or codes for this address. Try again after the seconds in Retry-After, sign in on a ' +
      'device that you used before, or reset the password by POST /auth/password/forgot: the device that you use for ' +
      'the reset can sign in immediately.',
  ),
  confirmedTooOften: withAdvice(
    CommonErrors.rateLimitExceeded,
    'Too many wrong confirmations of the password. Try again after the seconds in Retry-After, or reset the password ' +
      'by POST /auth/password/forgot and sign in again.',
  ),
  codesTriedTooOften: withAdvice(
    CommonErrors.rateLimitExceeded,
    'Too many wrong codes for this account. Try again after the seconds in Retry-After: no other password, device or ' +
      'code is accepted before.',
  ),
  tenantUnavailable: {
    code: 'auth.tenant_unavailable',
    status: 403,
    message: 'This store is closed. Ask its owner or the operator of the platform.',
  },
  supportForbidden: {
    code: 'auth.support_forbidden',
    status: 403,
    message:
      'A support session cannot manage users or create webhooks, keys, tokens, connections, vouchers, discounts or ' +
      'exemptions from tax, which last longer than the session. Ask the owner of the store to do it.',
  },
  supportReadOnly: {
    code: 'auth.support_read_only',
    status: 403,
    message:
      'A support session only reads. The owner of the store allows changes for a limited time by PUT ' +
      '/admin/support-access. A session whose changes were mailed to the owner can make no more changes: sign in to ' +
      'the store again.',
  },
})

/** The errors of a sign-in by password, and of `reauthenticate`. */
export const CREDENTIAL_ERRORS = [
  AuthErrors.invalidCredentials,
  AuthErrors.totpRequired,
  AuthErrors.totpInvalid,
]
