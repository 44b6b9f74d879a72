import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { config } from '#shared/platform/config/config.ts'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
// The name that the proof stands at is longer by its label, and no name is longer than 253.
const LONGEST = 230

/**
 * A domain as the service keeps it: lower case, international names in ASCII (punycode), no trailing dot. Null for what
 * is no domain of a store: addresses in numbers, names with a port or a path, single labels, and in production
 * `localhost` and the names below it.
 */
export function readDomainName(text: string): string | null {
  if (/[\s:/?#@\\[\]%*]/.test(text)) return null
  // It writes in lower case as IDNA does: a capital sigma at a word's end would otherwise become another letter, ς.
  const name = domainToASCII(text).replace(/\.$/, '')
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label))
  if (!isName || name.length > LONGEST || isIP(name)) return null
  return labels.at(-1) === 'localhost' && config().NODE_ENV === 'production' ? null : name
}

/** The domain that a Host header names, or undefined where it could be none of ours. */
export function domainOfHost(hostname: string): string | undefined {
  const domain = hostname.toLowerCase().replace(/\.$/, '')
  return /^[a-z0-9.-]{1,253}$/.test(domain) ? domain : undefined
}
