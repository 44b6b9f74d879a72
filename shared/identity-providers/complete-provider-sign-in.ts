import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import {
  type AuthorizationReturn,
  assertNotEnded,
  type ConsumedAuthorization,
  codeVerifierOf,
  consumeAuthorization,
} from './authorization.ts'
import { OauthErrors } from './errors.ts'
import { findOrLinkAccount, type ReturningBrowser } from './find-or-link-account.ts'
import type { Identity } from './identity.ts'
import { findIdentityProvider, type IdentityProvider } from './identity-provider.ts'
import { issueCode } from './one-time-code.ts'
import { assertAllowedRedirect, withQuery } from './redirect-url.ts'

/** An authorization request, against which the provider's response is checked. */
export interface SentAuthorization {
  callbackUrl: string
  state: string
  nonce: string
  codeVerifier: string
}

/** Exchanges a provider's response for the user's identity. It calls the provider, so the caller passes it in. */
export type Identify = (
  provider: IdentityProvider,
  sent: SentAuthorization,
  response: Record<string, string>,
) => Promise<Identity>

/** The query of the callback URL: the parameters of the protocol. */
export interface ProviderResponse {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
  error_description?: string | undefined
}

export interface ProviderCallback extends AuthorizationReturn, ReturningBrowser {
  callbackUrl: string
  response: ProviderResponse
}

/**
 * Completes a sign-in at a provider. Returns the URL of the sign-in page with a one-time code or an error. Throws
 * `auth.oauth_state_invalid`, and `auth.oauth_redirect_not_allowed` when the page's URL was removed from the provider.
 */
export async function completeProviderSignIn(
  callback: ProviderCallback,
  identify: Identify,
): Promise<string> {
  const consumed = await inStore(callback.state.storeId, (tx) => consumeAuthorization(tx, callback))
  const { redirectUrl, clientState } = consumed.authorization
  const outcome = await codeOrError(consumed, callback, identify)
  return withQuery(redirectUrl, { ...outcome, state: clientState })
}

async function codeOrError(
  consumed: ConsumedAuthorization,
  { callbackUrl, response, language, device }: ProviderCallback,
  identify: Identify,
): Promise<Record<string, string>> {
  const { authorization, provider } = consumed
  const codeVerifier = codeVerifierOf(authorization)
  const sent = { callbackUrl, state: response.state, nonce: authorization.nonce, codeVerifier }
  try {
    const identity = await identify(provider, sent, protocolParameters(response))
    return { code: await issueCodeFor(consumed, identity, { language, device }) }
  } catch (error) {
    if (!(error instanceof CodedError) || isRedirectRefused(error)) throw error
    return { error: error.code, error_description: error.message }
  }
}

/** This error cannot be sent to the sign-in page: its URL is the one that is refused. */
const isRedirectRefused = ({ code }: CodedError): boolean => code === OauthErrors.redirectNotAllowed.kind.code

const issueCodeFor = (
  { authorization, provider }: ConsumedAuthorization,
  identity: Identity,
  browser: ReturningBrowser,
): Promise<string> =>
  inStore(provider.storeId, async (tx) => {
    const account = await findOrLinkAccount(tx, provider, identity, browser)
    // Read again under the lock of the provider, which may have been changed while it was called.
    await assertNotEnded(tx, authorization)
    assertAllowedRedirect(await findIdentityProvider(tx, provider.id), authorization.redirectUrl)
    return issueCode(tx, account, authorization)
  })

/** Leaves out the parameters that a provider adds to those of the protocol. */
const protocolParameters = ({
  state,
  code,
  iss,
  error,
  error_description,
}: ProviderResponse): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ state, code, iss, error, error_description }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
