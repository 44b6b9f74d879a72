import type { Static } from 'typebox'
import { loadIdentityProvider } from '#api/gateways/load-identity-provider.ts'
import { requireStore } from '#api/identity/request.ts'
import { findByKey } from '#api/platform/auth/resolve-store.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { Reply } from '#api/platform/output/reply.ts'
import { startProviderSignIn } from '#shared/identity-providers/start-provider-sign-in.ts'
import type { Store } from '#shared/stores/store.ts'
import { browserCookie } from './browser-cookie.ts'
import { redirect } from './redirect.ts'
import type { AuthorizeQuery } from './schemas.ts'

type Query = Static<typeof AuthorizeQuery>

/** Starts a sign-in, and redirects the browser to the provider with a cookie. */
export async function startSignIn(
  store: Store | null,
  code: string,
  query: Query,
  request: RequestInfo,
): Promise<Reply> {
  const { id: storeId } = await storeOf(store, query)
  const start = {
    code,
    base: request.base,
    redirectUrl: query.redirect_url,
    clientState: query.state ?? null,
    codeChallenge: query.code_challenge ?? null,
  }
  const started = await startProviderSignIn(storeId, start, loadIdentityProvider)
  const cookie = browserCookie(started.id, started.callbackUrl)
  return redirect(started.url, cookie.set(started.browserSecret))
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
