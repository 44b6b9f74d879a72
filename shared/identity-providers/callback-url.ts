import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domains/domain-name.ts'
import { findStoreByDomain } from '#shared/stores/find-store.ts'
import { callbackUrl } from './redirect-url.ts'

/**
 * Returns the callback URL of a sign-in: on the store's domain if `base`, the scheme and host of the request, is on it,
 * else on the service's public URL. The browser's cookie belongs to one host, so start and callback must use the same.
 */
export async function callbackUrlFor(storeId: string, providerId: string, base: string): Promise<string> {
  return callbackUrl((await isOwnDomain(storeId, base)) ? base : config().PUBLIC_URL, providerId)
}

async function isOwnDomain(storeId: string, base: string): Promise<boolean> {
  const domain = URL.canParse(base) ? domainOfHost(new URL(base).hostname) : undefined
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === storeId
}
