import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import type { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { openSecret } from '#shared/identity-providers/secret.ts'
import { config } from '#shared/platform/config/config.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { publicFetch } from './public-fetch.ts'

// For each of the calls that a browser waits for: the description once in a while, then keys, tokens and claims.
const TIMEOUT_SECONDS = 5

// A changed provider is another key: what was kept of it before is soon forgotten.
const kept = new LRUCache<string, Promise<oidc.Configuration>>({ max: 1_000, ttl: 10 * MINUTE_MS })

/** A provider's description of itself (OpenID Connect Discovery) and, once they were needed, its keys. Kept for ten minutes. */
export function discover(provider: IdentityProvider): Promise<oidc.Configuration> {
  const key = `${provider.id} ${entityTag(provider)}`
  const known = kept.get(key)
  if (known) return known
  const found = ask(provider)
  kept.set(key, found)
  found.catch(() => kept.delete(key))
  return found
}

let fetching: oidc.CustomFetch | undefined

async function ask(provider: IdentityProvider): Promise<oidc.Configuration> {
  const allowLocal = config().ALLOW_LOCAL_HOSTS
  fetching ??= publicFetch({ allowLocal, timeoutMs: TIMEOUT_SECONDS * 1_000 })
  const { issuer, clientId } = provider
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, authenticationOf(provider), {
    [oidc.customFetch]: fetching,
    timeout: TIMEOUT_SECONDS,
    // Signatures are checked, though the tokens come straight from the provider.
    execute: [oidc.enableNonRepudiationChecks, ...(allowLocal ? [oidc.allowInsecureRequests] : [])],
  })
  const described = found.serverMetadata()
  // An issuer that stands for many, with a placeholder in its name, has no one set of subjects.
  if (new URL(described.issuer).href !== new URL(issuer).href) throw new Error('the issuer has another name')
  if (typeof readPublicUrl(described.authorization_endpoint ?? '', { allowLocal }) === 'string')
    throw new Error('the discovery document names no page to sign in at')
  return found
}

/** As the provider takes it; where it does not say, in the header (OpenID Connect Discovery, section 3). */
function authenticationOf(provider: IdentityProvider): oidc.ClientAuth {
  const secret = openSecret(provider)
  if (secret === null) return oidc.None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inHeader = methods.includes('client_secret_basic')
    return (inHeader ? oidc.ClientSecretBasic : oidc.ClientSecretPost)(secret)(server, ...rest)
  }
}
