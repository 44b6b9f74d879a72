import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'

const MAX_LENGTH = 2_048
// '' means 443, because the URL parser drops the default port.
const PORTS = new Set(['', '8443'])

// Names of local hosts (RFC 6761, RFC 8375, ICANN's .internal, and common local suffixes).
const LOCAL_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|invalid|onion)$/

declare const checked: unique symbol

/** A URL that the service may store and call: its host and all addresses of it are public. */
export type CheckedUrl = string & { readonly [checked]: true }

/** The reasons why the service must not call a URL. */
export type UrlFault = 'invalid' | 'https_required' | 'not_public'

/**
 * Parses a URL from outside, or returns the reason why the service must not call it. Only https is allowed, to a public
 * host, on port 443 or 8443, without a user name. This checks the text only; `publicLookup` checks the addresses of the
 * host. `allowLocal` (development) also allows loopback hosts, over plain http and on any port.
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

/**
 * Returns the host without brackets and trailing dot. The URL parser has normalized each IPv4 notation to four
 * decimals.
 */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** Whether a host is localhost or a loopback address. */
export const isLocal = (host: string): boolean => /(^|\.)localhost$/.test(host) || isLoopback(host)

function parse(text: string): URL | null {
  const url = text.length <= MAX_LENGTH && !/[\s\\]/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url) url.hash = ''
  return url
}

function isPublicHost(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  return host.includes('.') && !LOCAL_NAME.test(host)
}
