import { callbackUrl } from '#shared/identity-providers/callback-url.ts'
import { config } from '#shared/platform/config.ts'
import { findStoreByDomain } from '#shared/stores/find-store.ts'
import type { RequestFacts } from '../platform/endpoint.ts'

/**
 * Where the provider is to send the browser back to: where it came from, if that is a domain of the store's own, else
 * the service's public address. The browser's cookie is known at one host alone, so both ways must agree.
 */
export async function callbackUrlFor(
  storeId: string,
  code: string,
  { origin }: RequestFacts,
): Promise<string> {
  const own = (await isOwnDomain(storeId, origin)) ? new URL(origin).origin : null
  return callbackUrl(own ?? config().PUBLIC_URL, code)
}

async function isOwnDomain(storeId: string, origin: string): Promise<boolean> {
  if (!URL.canParse(origin)) return false
  return (await findStoreByDomain(new URL(origin).hostname))?.store.id === storeId
}
