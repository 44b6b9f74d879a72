import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { callbackUrl } from '#shared/identity-providers/redirect-url.ts'
import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domain-name.ts'
import { findStoreByDomain } from '#shared/stores/find-store.ts'

/**
 * Where the provider is to send the browser back to: where it came from, if that is a domain of the store's own, else
 * the service's public address. The browser's cookie is known at one host alone, so both ways must agree.
 */
export async function callbackUrlFor(storeId: string, code: string, { base }: RequestInfo): Promise<string> {
  return callbackUrl((await isOwnDomain(storeId, base)) ? base : config().PUBLIC_URL, code)
}

async function isOwnDomain(storeId: string, base: string): Promise<boolean> {
  const domain = URL.canParse(base) ? domainOfHost(new URL(base).hostname) : undefined
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === storeId
}
