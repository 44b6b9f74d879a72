import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { config } from '#shared/platform/config/config.ts'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
// DNS allows 253 characters, and the name of the TXT record has a label more.
const MAX_LENGTH = 230

/**
 * Parses a domain into its stored form: lower case, ASCII (punycode), no trailing dot. Returns null for IP addresses,
 * names with a port or a path, single labels, and in production for `localhost` and its subdomains.
 */
export function parseDomainName(text: string): string | null {
  if (/[\s:/?#@\\[\]%*]/.test(text)) return null
  // `domainToASCII` lowercases by IDNA. `toLowerCase` would turn a final capital sigma into another letter, ς.
  const name = domainToASCII(text).replace(/\.$/, '')
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label))
  if (!isName || name.length > MAX_LENGTH || isIP(name)) return null
  return labels.at(-1) === 'localhost' && config().NODE_ENV === 'production' ? null : name
}

/** Reads the domain of a Host header; undefined if no store can have it. */
export function domainOfHost(hostname: string): string | undefined {
  const domain = hostname.toLowerCase().replace(/\.$/, '')
  return /^[a-z0-9.-]{1,253}$/.test(domain) ? domain : undefined
}
