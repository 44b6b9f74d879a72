import { config } from '#shared/platform/config/config.ts'
import { isPublicAddress } from '#shared/platform/net/public-address.ts'
import { type CheckedUrl, hostOf, isLocal, readPublicUrl } from '#shared/platform/net/public-url.ts'
import { type ResolveName, resolveHost } from '#shared/platform/net/resolve-host.ts'
import { limitHostLookUps } from '#shared/platform/throttle/limit-host-look-ups.ts'
import { WebhookErrors } from './errors.ts'

const FAULTS = {
  invalid: WebhookErrors.urlInvalid,
  https_required: WebhookErrors.urlHttpsRequired,
  not_public: WebhookErrors.urlNotPublic,
}

/**
 * Parses a webhook URL. Throws `webhooks.url_invalid`, `webhooks.url_https_required` and `webhooks.url_not_public`.
 * `allowLocal` (development) accepts loopback hosts.
 */
export function checkWebhookUrl(text: string, options: { allowLocal: boolean }): URL {
  const url = readPublicUrl(text, options)
  if (typeof url === 'string') throw FAULTS[url]()
  return url
}

/**
 * Checks a URL at its registration, with every address its host resolves to. A host that does not resolve is accepted:
 * each attempt resolves and checks it again. Call it outside a transaction, because DNS can be slow.
 */
export async function checkPublicUrl(text: string, resolve?: ResolveName): Promise<CheckedUrl> {
  const url = checkWebhookUrl(text, { allowLocal: config().ALLOW_LOCAL_HOSTS })
  const host = hostOf(url)
  if (isLocal(host)) return url.href as CheckedUrl
  const addresses = await resolveHost(host, resolve).catch(() => [])
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw WebhookErrors.urlNotPublic()
  return url.href as CheckedUrl
}

/** Checks a URL as `checkPublicUrl` does, and counts the look-up of its host. Also throws `rate_limit.exceeded`. */
export async function checkUrlOfStore(storeId: string, text: string): Promise<CheckedUrl> {
  await limitHostLookUps(storeId)
  return checkPublicUrl(text)
}
