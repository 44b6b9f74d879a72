import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'
import { hostOf, isLocal } from './public-url.ts'

export interface HostAddress {
  address: string
  family: 4 | 6
}

/** Asks DNS for a name's addresses: none when it has none. Throws when DNS does not answer. */
export type ResolveName = (name: string) => Promise<string[]>

// DNS itself, without the operating system's look-up: that one blocks a thread a name, and a slow name server of one
// store would soon hold all of them.
const dns = new Resolver({ timeout: 1_500, tries: 2 })

/** A name's A and AAAA records. */
const resolveByDns: ResolveName = async (name) => {
  const found = await Promise.all([records(dns.resolve4(name)), records(dns.resolve6(name))])
  return found.flat()
}

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

const records = (answer: Promise<string[]>): Promise<string[]> =>
  answer.catch((error: NodeJS.ErrnoException) => {
    if (NO_RECORD.has(error.code ?? '')) return []
    throw error
  })

/** Every address that a host, a name or an address itself, leads to. */
export async function resolveHost(host: string, resolve: ResolveName = resolveByDns): Promise<HostAddress[]> {
  const addresses = isIP(host) ? [host] : isLocal(host) ? ['127.0.0.1'] : await resolve(host)
  return addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}

interface Options {
  /** Development: loopback hosts. */
  allowLocal: boolean
  /** What the connection fails with when a name leads to an address that is not public. */
  refusal: () => Error
  resolve?: ResolveName | undefined
}

/**
 * Resolves a host for the connection itself, so that what was checked is what is called. Addresses in numbers are
 * never looked up: those are for `readPublicUrl`.
 */
export function publicLookup({ allowLocal, refusal, resolve }: Options): LookupFunction {
  return (host, options, callback) => {
    const passes = allowLocal && isLocal(host) ? isLoopback : isPublicAddress
    resolveHost(hostOf(new URL(`https://${host}`)), resolve).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(new Error(`${host} has no address`), '')
        if (!addresses.every(({ address }) => passes(address))) return callback(refusal(), '')
        if (options.all) callback(null, addresses satisfies LookupAddress[])
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}
