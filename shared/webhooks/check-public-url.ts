import { config } from '#shared/platform/config/config.ts'
import { isPublicAddress } from '#shared/platform/net/public-address.ts'
import { type CheckedUrl, hostOf, isLocal } from '#shared/platform/net/public-url.ts'
import { type ResolveName, resolveHost } from '#shared/platform/net/resolve-host.ts'
import { checkWebhookUrl } from './check-url.ts'
import { WebhookErrors } from './errors.ts'

/**
 * Checks a URL that is being registered, and every address its host resolves to. A name that does not resolve yet may
 * be registered: each attempt resolves and checks it anew. Call it outside a transaction: DNS takes its time.
 */
export async function checkPublicUrl(text: string, resolve?: ResolveName): Promise<CheckedUrl> {
  const url = checkWebhookUrl(text, { allowLocal: config().ALLOW_LOCAL_HOSTS })
  const host = hostOf(url)
  if (isLocal(host)) return url.href as CheckedUrl
  const addresses = await resolveHost(host, resolve).catch(() => [])
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw WebhookErrors.urlNotPublic()
  return url.href as CheckedUrl
}
