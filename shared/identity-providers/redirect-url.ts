import { config } from '#shared/platform/config/config.ts'
import { hostOf, isLocal } from '#shared/platform/net/public-url.ts'
import { IdentityProviderErrors, OauthErrors } from './errors.ts'
import type { IdentityProvider } from './identity-provider.ts'

/**
 * Returns the callback URL of a provider below `base`, one of the service's addresses. It has the id of the provider,
 * and not the code, which providers of several stores can share. With one URL for two issuers, a hostile provider could
 * get the codes of the other (mix-up attack, RFC 9700, section 4.4).
 */
export const callbackUrl = (base: string, providerId: string): string =>
  `${base.replace(/\/$/, '')}/api/v1/auth/oauth/${providerId}/callback`

// An app's own scheme is a domain name backwards, so it has a dot (RFC 8252, section 7.1). So javascript: is refused.
const APP_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/** Throws `identity_provider.redirect_url_invalid` for an unsafe redirect URL. */
export function assertRedirectUrls(urls: readonly string[]): void {
  const wrong = urls.find((url) => !isSafeRedirectUrl(url))
  if (wrong !== undefined) throw IdentityProviderErrors.redirectUrlInvalid({ url: wrong })
}

function isSafeRedirectUrl(text: string): boolean {
  if (/[\s\\#]/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username || url.password) return false
  if (url.protocol === 'https:' || APP_SCHEME.test(url.protocol)) return true
  return url.protocol === 'http:' && config().ALLOW_LOCAL_HOSTS && isLocal(hostOf(url))
}

/** Throws `auth.oauth_redirect_not_allowed` unless the URL equals one of the provider's. */
export function assertAllowedRedirect({ redirectUrls }: IdentityProvider, url: string): void {
  if (!redirectUrls.includes(url)) throw OauthErrors.redirectNotAllowed()
}

/** Adds query parameters to a URL. */
export function withQuery(address: string, query: Record<string, string | null>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.append(name, value)
  return url.href
}
