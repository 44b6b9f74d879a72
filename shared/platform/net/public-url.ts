import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'

const LONGEST = 2_048
// The URL parser leaves out a scheme's own port.
const PORTS = new Set(['', '8443'])

// Names that never mean the same host everywhere (RFC 6761, RFC 8375, ICANN's .internal, and common local suffixes).
const LOCAL_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|invalid|onion)$/

declare const checked: unique symbol

/** A URL that may be kept to be called: its host, and every address that this resolved to, were found public. */
export type CheckedUrl = string & { readonly [checked]: true }

/** Why the service must not call a URL. */
export type UrlFault = 'invalid' | 'https_required' | 'not_public'

/**
 * Reads a URL that a stranger chose, or says why it must not be called: only https, to a public host, on port 443 or
 * 8443, without a user name. It looks at the text alone: what its name resolves to is checked by whoever resolves it.
 * `allowLocal` (development) lets loopback hosts pass, over plain http and on any port.
 */
export function readPublicUrl(text: string, { allowLocal }: { allowLocal: boolean }): URL | UrlFault {
  const url = parse(text)
  const host = url && hostOf(url)
  if (!host || url.username || url.password) return 'invalid'
  if (allowLocal && isLocal(host) && /^https?:$/.test(url.protocol)) return url
  if (url.protocol !== 'https:') return 'https_required'
  if (!isPublicHost(host)) return 'not_public'
  return PORTS.has(url.port) ? url : 'invalid'
}

/** The host as it is resolved: no brackets, no trailing dot. The parser has made every IPv4 notation four decimals. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** Whether a host names this machine. */
export const isLocal = (host: string): boolean => /(^|\.)localhost$/.test(host) || isLoopback(host)

function parse(text: string): URL | null {
  const url = text.length <= LONGEST && !/[\s\\]/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url) url.hash = ''
  return url
}

function isPublicHost(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  return host.includes('.') && !LOCAL_NAME.test(host)
}
