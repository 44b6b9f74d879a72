import * as oidc from 'openid-client'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { type Identity, readIdentity } from '#shared/identity-providers/identity.ts'
import type { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { CodedError, type ErrorFactory } from '#shared/platform/errors.ts'
import { log } from '#shared/platform/log.ts'
import { UnsealError } from '#shared/platform/secrets/seal.ts'
import { discover } from './discover.ts'

/** What is asked of a provider, and what its answer is held against. */
export interface Question {
  callbackUrl: string
  state: string
  nonce: string
  codeVerifier: string
}

/** Makes sure that a provider can be asked. Throws `auth.oauth_provider_unavailable`. */
export async function reachProvider(provider: IdentityProvider): Promise<void> {
  await describedBy(provider)
}

const describedBy = (provider: IdentityProvider): Promise<oidc.Configuration> =>
  translating(provider, () => discover(provider), OauthErrors.providerUnavailable)

/** Where a browser is to go: the provider's page, asked for a code (PKCE S256, state, nonce). */
export function signInUrl(provider: IdentityProvider, question: Question): Promise<string> {
  const { callbackUrl, state, nonce, codeVerifier } = question
  return translating(provider, async () => {
    const url = oidc.buildAuthorizationUrl(await describedBy(provider), {
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
 * Turns what a provider sent the browser back with into who it is: state, issuer, signature, audience and nonce are
 * checked. Throws `auth.oauth_denied`, `auth.oauth_answer_invalid`, `auth.oauth_provider_unavailable`.
 */
export function identify(
  provider: IdentityProvider,
  { callbackUrl, state, nonce, codeVerifier }: Question,
  answer: Record<string, string>,
): Promise<Identity> {
  const url = new URL(`${callbackUrl}?${new URLSearchParams(answer)}`)
  return translating(provider, async () => {
    const configuration = await describedBy(provider)
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    return readIdentity(await claimsOf(configuration, tokens))
  })
}

/** The ID token's claims; providers that hold the address back there tell it when asked for it. */
async function claimsOf(
  configuration: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<Record<string, unknown>> {
  const claims = tokens.claims()
  if (!claims) throw OauthErrors.answerInvalid()
  if ('email' in claims || !configuration.serverMetadata().userinfo_endpoint) return claims
  return { ...claims, ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
}

async function translating<T>(
  { id, storeId }: IdentityProvider,
  work: () => Promise<T>,
  refusal?: ErrorFactory,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // A secret of our own that does not open is no fault of the provider.
    if (error instanceof CodedError || error instanceof UnsealError) throw error
    const { name, message, code, cause } = error as Error & { code?: string }
    const why = { name, message, code, cause: cause instanceof Error ? cause.message : undefined }
    log.warn({ storeId, providerId: id, why }, 'an identity provider failed')
    throw (refusal ?? refusalOf(error))()
  }
}

/** The faults of an answer, by the names that the client library gives them. */
const ANSWER_FAULTS = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
])

function refusalOf(error: unknown): ErrorFactory {
  if (error instanceof oidc.AuthorizationResponseError) return OauthErrors.denied
  const { code = '', error: oauthError } = error as { code?: string; error?: string }
  if (oauthError === 'invalid_grant' || ANSWER_FAULTS.has(code)) return OauthErrors.answerInvalid
  return OauthErrors.providerUnavailable
}
