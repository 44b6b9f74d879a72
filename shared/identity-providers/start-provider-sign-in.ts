import { inStore } from '#shared/platform/db/store-scope.ts'
import { type AuthorizationRequest, startAuthorization } from './authorization.ts'
import { callbackUrlFor } from './callback-url.ts'
import type { SentAuthorization } from './complete-provider-sign-in.ts'
import { findActiveIdentityProvider, type IdentityProvider } from './identity-provider.ts'
import { assertAllowedRedirect } from './redirect-url.ts'

/** The calls of a provider at the start of a sign-in. */
export interface ProviderGateway {
  assertProviderAvailable(provider: IdentityProvider): Promise<unknown>
  /** Returns the URL of the provider's sign-in page. */
  signInUrl(provider: IdentityProvider, sent: SentAuthorization): Promise<string>
}

export interface SignInStart extends Omit<AuthorizationRequest, 'providerId'> {
  /** The code of the provider. */
  code: string
  /** The scheme and host of the request. */
  base: string
}

/** A started sign-in, the secret for the browser's cookie, and the URL of the provider's sign-in page. */
export interface StartedSignIn {
  id: string
  browserSecret: string
  callbackUrl: string
  url: string
}

/**
 * Starts a sign-in at a provider. The sign-in is inserted only after the provider has answered. Throws
 * `resource.not_found`, `auth.oauth_redirect_not_allowed` and `auth.oauth_provider_unavailable`.
 */
export async function startProviderSignIn(
  storeId: string,
  { code, base, ...request }: SignInStart,
  loadGateway: () => Promise<ProviderGateway>,
): Promise<StartedSignIn> {
  const provider = await inStore(storeId, (tx) => findActiveIdentityProvider(tx, code))
  assertAllowedRedirect(provider, request.redirectUrl)
  const { assertProviderAvailable, signInUrl } = await loadGateway()
  await assertProviderAvailable(provider)
  const callbackUrl = await callbackUrlFor(storeId, provider.id, base)
  const started = await inStore(storeId, (tx) =>
    startAuthorization(tx, { ...request, providerId: provider.id }),
  )
  const { id, browserSecret } = started
  return { id, browserSecret, callbackUrl, url: await signInUrl(provider, { ...started, callbackUrl }) }
}
