import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'
import { hostOf, isLocal } from './public-url.ts'

export interface HostAddress {
  address: string
  family: 4 | 6
}

/** Resolves a name to its addresses; an empty list if it has none. Throws if DNS does not respond. */
export type ResolveName = (name: string) => Promise<string[]>

// Ask DNS directly: the operating system's look-up blocks a thread for each name, and the slow name server of one store
// would occupy all threads.
const dns = new Resolver({ timeout: 1_500, tries: 2 })

/** A name's A and AAAA records. */
const resolveByDns: ResolveName = async (name) => {
  const found = await Promise.all([records(dns.resolve4(name)), records(dns.resolve6(name))])
  return found.flat()
}

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

const records = (lookup: Promise<string[]>): Promise<string[]> =>
  lookup.catch((error: NodeJS.ErrnoException) => {
    if (NO_RECORD.has(error.code ?? '')) return []
    throw error
  })

// The name server of a store's host can send 4,000 IPv4 and 2,300 IPv6 addresses. To check them all would block the
// process for 100 ms at each connection. No connection tries as many as these in its time.
const MAX_ADDRESSES = 32

/** Returns the addresses of a host, at most 32. The host can be an address itself. */
export async function resolveHost(host: string, resolve: ResolveName = resolveByDns): Promise<HostAddress[]> {
  const addresses = isIP(host) ? [host] : isLocal(host) ? ['127.0.0.1'] : await resolve(host)
  return addresses
    .slice(0, MAX_ADDRESSES)
    .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}

interface Options {
  /** Whether loopback hosts are allowed, in development. */
  allowLocal: boolean
  /** The error of a connection to a name with an address that is not public. */
  refusal: () => Error
  resolve?: ResolveName | undefined
}

/**
 * Returns a `lookup` function for connections that refuses addresses that are not public. The checked address is the
 * one that is called. Node does not call it for IP literals; `readPublicUrl` checks those.
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
