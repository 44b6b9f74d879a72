import { defineErrors } from '#shared/platform/errors.ts'

export const IdentityProviderErrors = defineErrors({
  codeTaken: {
    code: 'identity_provider.code_taken',
    status: 409,
    message: 'The store has an identity provider with this code. Choose another.',
  },
  issuerInvalid: {
    code: 'identity_provider.issuer_invalid',
    status: 422,
    message:
      'Use the issuer of the provider’s discovery document: an https address of a public host, without query or ' +
      'fragment.',
  },
  redirectUrlInvalid: {
    code: 'identity_provider.redirect_url_invalid',
    status: 422,
    message: ({ url }: { url: string }) =>
      `A sign-in cannot lead back to ${url}. Use https, or an app’s own scheme (com.example.app:/signed-in), without ` +
      'a fragment.',
  },
  limitReached: {
    code: 'identity_provider.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store has at most ${limit} identity providers. Delete one that is not used.`,
  },
})

/** Errors of sign-ins at a provider. */
export const OauthErrors = defineErrors({
  redirectNotAllowed: {
    code: 'auth.oauth_redirect_not_allowed',
    status: 422,
    message:
      "This redirect_url is not on the provider's list. Use a listed URL exactly, including its query.",
  },
  stateInvalid: {
    code: 'auth.oauth_state_invalid',
    status: 400,
    message:
      'This sign-in was started in another browser, is complete, took longer than ten minutes, or its identity ' +
      'provider was changed. Start it again.',
  },
  providerUnavailable: {
    code: 'auth.oauth_provider_unavailable',
    status: 502,
    message:
      'The identity provider is unavailable or sent an invalid response. Try again, or sign in another way.',
  },
  denied: {
    code: 'auth.oauth_denied',
    status: 403,
    message: 'The identity provider refused the sign-in. Start it again, or sign in another way.',
  },
  answerInvalid: {
    code: 'auth.oauth_answer_invalid',
    status: 400,
    message: "The identity provider's response does not belong to this sign-in. Start it again.",
  },
  emailUnverified: {
    code: 'auth.oauth_email_unverified',
    status: 403,
    message:
      'The identity provider has not verified your e-mail address. Verify it there, or sign in another way.',
  },
  passwordRequired: {
    code: 'auth.oauth_password_required',
    status: 409,
    message:
      'An account with this e-mail address exists, and the address is not verified. Sign in with the password and ' +
      'verify the address, then use the identity provider again.',
  },
  linkedElsewhere: {
    code: 'auth.oauth_linked_elsewhere',
    status: 409,
    message:
      'The account with this e-mail address is linked to another person at this identity provider. Sign in another ' +
      'way.',
  },
  accountUnavailable: {
    code: 'auth.oauth_account_unavailable',
    status: 403,
    message: 'No account belongs to this sign-in. Ask the store for one.',
  },
  onlySignIn: {
    code: 'auth.oauth_only_sign_in',
    status: 409,
    message:
      'The account has no password, so this identity provider is its only way to sign in. Set a password by POST ' +
      '/auth/password/forgot first.',
  },
  codeInvalid: {
    code: 'auth.oauth_code_invalid',
    status: 400,
    message:
      'This code is unknown, used or older than a minute, or code_verifier does not match. Start the sign-in again.',
  },
})
