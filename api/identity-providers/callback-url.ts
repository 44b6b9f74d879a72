import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { callbackUrl } from '#shared/identity-providers/redirect-url.ts'
import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domains/domain-name.ts'
import { findStoreByDomain } from '#shared/stores/find-store.ts'

/**
 * Returns the callback URL of a sign-in: on the store's domain if the request came from it, else on the service's
 * public URL. The browser's cookie belongs to one host, so start and callback must use the same.
 */
export async function callbackUrlFor(
  storeId: string,
  providerId: string,
  { base }: RequestInfo,
): Promise<string> {
  return callbackUrl((await isOwnDomain(storeId, base)) ? base : config().PUBLIC_URL, providerId)
}

async function isOwnDomain(storeId: string, base: string): Promise<boolean> {
  const domain = URL.canParse(base) ? domainOfHost(new URL(base).hostname) : undefined
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === storeId
}
