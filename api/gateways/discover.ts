import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { MAX_PROVIDERS } from '#shared/identity-providers/create-identity-provider.ts'
import { type IdentityProvider, openClientSecret } from '#shared/identity-providers/identity-provider.ts'
import { config } from '#shared/platform/config/config.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { publicFetch } from './public-fetch.ts'

// The time-out of each call to the provider. The browser waits for up to four calls: discovery, keys, tokens and
// claims.
const TIMEOUT_SECONDS = 5

interface Discovered {
  /** Identifies the provider's version. A changed provider is discovered again. */
  tag: string
  configuration: Promise<oidc.Configuration>
}

// Cache one configuration for each provider, and for each store at most as many as it can have providers. Otherwise a
// store that changes its providers again and again could fill the memory.
const cache = new LRUCache<string, Discovered>({ max: 1_000, ttl: 10 * MINUTE_MS })

/**
 * Loads a provider's configuration (OpenID Connect Discovery) and caches it, with the provider's keys, for ten minutes.
 */
export function discover(provider: IdentityProvider): Promise<oidc.Configuration> {
  const key = `${provider.storeId} ${provider.id}`
  const tag = entityTag(provider)
  const known = cache.get(key)
  if (known?.tag === tag) return known.configuration
  const found = { tag, configuration: load(provider) }
  cache.set(key, found)
  forgetDeleted(provider)
  found.configuration.catch(() => {
    if (cache.peek(key) === found) cache.delete(key)
  })
  return found.configuration
}

/** Deletes all but the last used configurations of a store. */
function forgetDeleted({ storeId }: IdentityProvider): void {
  const [...own] = cache.keys().filter((key) => key.startsWith(storeId))
  for (const key of own.slice(MAX_PROVIDERS)) cache.delete(key)
}

let fetch: oidc.CustomFetch | undefined

async function load(provider: IdentityProvider): Promise<oidc.Configuration> {
  const allowLocal = config().ALLOW_LOCAL_HOSTS
  fetch ??= publicFetch({ allowLocal, timeoutMs: TIMEOUT_SECONDS * 1_000 })
  const { issuer, clientId } = provider
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, authenticationOf(provider), {
    [oidc.customFetch]: fetch,
    timeout: TIMEOUT_SECONDS,
    // Check signatures, although the tokens come directly from the provider.
    execute: [oidc.enableNonRepudiationChecks, ...(allowLocal ? [oidc.allowInsecureRequests] : [])],
  })
  const described = found.serverMetadata()
  // Refuse a multi-tenant issuer: its name has a placeholder, and its subjects are not unique.
  if (new URL(described.issuer).href !== new URL(issuer).href)
    throw new Error('the issuer in the discovery document does not match the configured issuer')
  if (typeof readPublicUrl(described.authorization_endpoint ?? '', { allowLocal }) === 'string')
    throw new Error('the discovery document has no valid authorization endpoint')
  return found
}

/**
 * Returns an authentication method that the provider supports, by default the header (OpenID Connect Discovery, section
 * 3).
 */
function authenticationOf(provider: IdentityProvider): oidc.ClientAuth {
  const secret = openClientSecret(provider)
  if (secret === null) return oidc.None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inHeader = methods.includes('client_secret_basic')
    return (inHeader ? oidc.ClientSecretBasic : oidc.ClientSecretPost)(secret)(server, ...rest)
  }
}
