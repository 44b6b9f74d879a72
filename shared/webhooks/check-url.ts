import { isIP } from 'node:net'
import { WebhookErrors } from './errors.ts'
import { isLoopback, isPublicAddress } from './public-address.ts'

const LONGEST = 2_048
// The URL parser leaves out a scheme's own port.
const PORTS = new Set(['', '8443'])

// Names that never mean the same host everywhere (RFC 6761, RFC 8375, ICANN's .internal, and common local suffixes).
const LOCAL_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|invalid|onion)$/

/**
 * Reads a webhook URL and refuses what must not be called (interface document, section 6): 422 `webhooks.url_invalid`,
 * `webhooks.url_https_required`, `webhooks.url_not_public`. It looks at the text alone: what its name resolves to is
 * checked by whoever resolves it. `allowLocal` (development) lets loopback hosts pass, over plain http and on any port.
 */
export function checkWebhookUrl(text: string, { allowLocal }: { allowLocal: boolean }): URL {
  const url = parse(text)
  const host = hostOf(url)
  if (url.username || url.password || !host) throw WebhookErrors.urlInvalid()
  if (allowLocal && isLocal(host) && /^https?:$/.test(url.protocol)) return url
  if (url.protocol !== 'https:') throw WebhookErrors.urlHttpsRequired()
  if (!isPublicHost(host)) throw WebhookErrors.urlNotPublic()
  if (!PORTS.has(url.port)) throw WebhookErrors.urlInvalid()
  return url
}

/** The host as it is resolved: no brackets, no trailing dot. The parser has made every IPv4 notation four decimals. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** Whether a host names this machine. */
export const isLocal = (host: string): boolean => /(^|\.)localhost$/.test(host) || isLoopback(host)

function parse(text: string): URL {
  const url = text.length <= LONGEST && !/[\s\\]/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (!url) throw WebhookErrors.urlInvalid()
  url.hash = ''
  return url
}

function isPublicHost(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  return host.includes('.') && !LOCAL_NAME.test(host)
}
