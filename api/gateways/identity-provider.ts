import * as oidc from 'openid-client'
import type { SentAuthorization } from '#shared/identity-providers/complete-provider-sign-in.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { type Identity, readIdentity } from '#shared/identity-providers/identity.ts'
import type { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { CodedError, type ErrorFactory } from '#shared/platform/errors.ts'
import { log } from '#shared/platform/log.ts'
import { UnsealError } from '#shared/platform/secrets/seal.ts'
import { discover } from './discover.ts'

/** Checks that a provider is available. Throws `auth.oauth_provider_unavailable`. */
export async function assertProviderAvailable(provider: IdentityProvider): Promise<void> {
  await configurationOf(provider)
}

const configurationOf = (provider: IdentityProvider): Promise<oidc.Configuration> =>
  translateErrors(provider, () => discover(provider), OauthErrors.providerUnavailable)

/** Returns the URL of the provider's authorization page for the browser (PKCE S256, state, nonce). */
export function signInUrl(provider: IdentityProvider, request: SentAuthorization): Promise<string> {
  const { callbackUrl, state, nonce, codeVerifier } = request
  return translateErrors(provider, async () => {
    const url = oidc.buildAuthorizationUrl(await configurationOf(provider), {
      redirect_uri: callbackUrl,
      scope: [...new Set(['openid', ...provider.scopes])].join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return url.href
  })
}

/**
 * Exchanges a provider's response for the identity of the user. Checks state, issuer, signature, audience and nonce.
 * Throws `auth.oauth_denied`, `auth.oauth_answer_invalid`, `auth.oauth_provider_unavailable`.
 */
export function identify(
  provider: IdentityProvider,
  { callbackUrl, state, nonce, codeVerifier }: SentAuthorization,
  response: Record<string, string>,
): Promise<Identity> {
  const url = new URL(`${callbackUrl}?${new URLSearchParams(response)}`)
  return translateErrors(provider, async () => {
    const configuration = await configurationOf(provider)
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    return readIdentity(await claimsOf(configuration, tokens))
  })
}

/** Returns the claims of the ID token, with those of the userinfo endpoint when the ID token has no e-mail address. */
async function claimsOf(
  configuration: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<Record<string, unknown>> {
  const claims = tokens.claims()
  if (!claims) throw OauthErrors.answerInvalid()
  if ('email' in claims || !configuration.serverMetadata().userinfo_endpoint) return claims
  return { ...claims, ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
}

async function translateErrors<T>(
  { id, storeId }: IdentityProvider,
  work: () => Promise<T>,
  refusal?: ErrorFactory,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // If the client secret cannot be decrypted, that is not the provider's fault.
    if (error instanceof CodedError || error instanceof UnsealError) throw error
    const { name, message, code, cause } = error as Error & { code?: string }
    const why = { name, message, code, cause: cause instanceof Error ? cause.message : undefined }
    log.warn({ storeId, providerId: id, why }, 'an identity provider failed')
    throw (refusal ?? refusalOf(error))()
  }
}

/** The client library's codes for an invalid response. */
const INVALID_RESPONSE_CODES = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
])

function refusalOf(error: unknown): ErrorFactory {
  if (error instanceof oidc.AuthorizationResponseError) return OauthErrors.denied
  const { code = '', error: oauthError } = error as { code?: string; error?: string }
  if (oauthError === 'invalid_grant' || INVALID_RESPONSE_CODES.has(code)) return OauthErrors.answerInvalid
  return OauthErrors.providerUnavailable
}
