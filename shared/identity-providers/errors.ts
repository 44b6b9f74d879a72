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
      'An issuer is the https address of a public host, as the provider writes it in its discovery document: no query, no fragment.',
  },
  redirectUrlInvalid: {
    code: 'identity_provider.redirect_url_invalid',
    status: 422,
    message: ({ url }) =>
      `A sign-in cannot lead back to ${url ?? 'this address'}. Use https, or an app’s own scheme (com.example.app:/signed-in), without a fragment.`,
  },
  tooMany: {
    code: 'identity_provider.limit_reached',
    status: 409,
    message: ({ limit }) =>
      `A store has at most ${limit ?? 20} identity providers. Delete one that is not used.`,
  },
})

/** Errors of sign-ins at a provider. */
export const OauthErrors = defineErrors({
  redirectNotAllowed: {
    code: 'auth.oauth_redirect_not_allowed',
    status: 422,
    message:
      "This redirect_url is not on the provider's list. It must stand there letter for letter, its query included.",
  },
  stateInvalid: {
    code: 'auth.oauth_state_invalid',
    status: 400,
    message:
      'This sign-in was not begun in this browser, has ended already or took longer than ten minutes. Begin anew.',
  },
  providerUnavailable: {
    code: 'auth.oauth_provider_unavailable',
    status: 502,
    message: 'The identity provider does not answer as it should. Try again, or sign in another way.',
  },
  denied: {
    code: 'auth.oauth_denied',
    status: 403,
    message: 'The identity provider did not let the sign-in go on. Begin anew, or sign in another way.',
  },
  answerInvalid: {
    code: 'auth.oauth_answer_invalid',
    status: 400,
    message: "The identity provider's answer does not belong to this sign-in. Begin anew.",
  },
  emailUnverified: {
    code: 'auth.oauth_email_unverified',
    status: 403,
    message:
      'The identity provider vouches for no e-mail address of yours. Confirm it there, or sign in another way.',
  },
  passwordRequired: {
    code: 'auth.oauth_password_required',
    status: 409,
    message:
      'There is an account with this e-mail address, which nobody has confirmed yet. Sign in with its password and confirm the address; then this way is open too.',
  },
  linkedElsewhere: {
    code: 'auth.oauth_linked_elsewhere',
    status: 409,
    message:
      'The account with this e-mail address is linked to somebody else at this identity provider. Sign in another way.',
  },
  accountUnavailable: {
    code: 'auth.oauth_account_unavailable',
    status: 403,
    message: 'There is no account here that this sign-in could open. Ask the store.',
  },
  codeInvalid: {
    code: 'auth.oauth_code_invalid',
    status: 400,
    message:
      'This code is not one of ours, was used, or is older than a minute; or code_verifier does not match. Begin anew.',
  },
})
