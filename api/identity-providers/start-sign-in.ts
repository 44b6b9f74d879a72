import type { Static } from 'typebox'
import { loadIdentityProvider } from '#api/gateways/load-identity-provider.ts'
import { requireStore } from '#api/identity/request.ts'
import { findByKey } from '#api/platform/auth/resolve-store.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { Reply } from '#api/platform/output/reply.ts'
import { startAuthorization } from '#shared/identity-providers/authorization.ts'
import { findActiveProvider } from '#shared/identity-providers/identity-provider.ts'
import { assertAllowedRedirect } from '#shared/identity-providers/redirect-url.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { browserCookie } from './browser-cookie.ts'
import { callbackUrlFor } from './callback-url.ts'
import { redirect } from './redirect.ts'
import type { AuthorizeQuery } from './schemas.ts'

type Query = Static<typeof AuthorizeQuery>

/** Redirects a browser to a provider. The sign-in is inserted only after the provider has answered. */
export async function startSignIn(
  store: Store | null,
  code: string,
  query: Query,
  request: RequestInfo,
): Promise<Reply> {
  const { id: storeId } = await storeOf(store, query)
  const provider = await inStore(storeId, (tx) => findActiveProvider(tx, code))
  assertAllowedRedirect(provider, query.redirect_url)
  const { assertProviderAvailable, signInUrl } = await loadIdentityProvider()
  await assertProviderAvailable(provider)
  const callbackUrl = await callbackUrlFor(storeId, provider.id, request)
  const started = await inStore(storeId, (tx) =>
    startAuthorization(tx, {
      providerId: provider.id,
      redirectUrl: query.redirect_url,
      clientState: query.state ?? null,
      codeChallenge: query.code_challenge ?? null,
    }),
  )
  const cookie = browserCookie(started.id, callbackUrl)
  return redirect(await signInUrl(provider, { ...started, callbackUrl }), cookie.set(started.browserSecret))
}

/**
 * Returns the store of the request or of the key in its URL. The URL can contain the key, because a browser that
 * follows a link sends no header. The key is not secret.
 */
async function storeOf(store: Store | null, { service_key: key }: Query): Promise<Store> {
  if (!key) return requireStore(store)
  const { store: named } = await findByKey(key)
  if (named.status !== 'active' || (store && store.id !== named.id)) throw StoreAccessErrors.keyInvalid()
  return named
}
