import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { isLoopback, isPublicAddress } from './public-address.ts'
import { hostOf, isLocal } from './public-url.ts'
import { queryDns } from './query-dns.ts'

export interface HostAddress {
  address: string
  family: 4 | 6
}

/** Resolves a name to its addresses; an empty list if it has none. Throws if DNS does not respond. */
export type ResolveName = (name: string) => Promise<string[]>

const TIMEOUT_MS = 1_500
const KEPT_MS = 30_000
const EMPTY_KEPT_MS = 5_000

// Deliveries and readers of a catalog connect to the same host again and again.
const addressCache = new LRUCache<string, Promise<string[]>>({ max: 1_000 })

/** Returns a name's A and AAAA records. It keeps them for 30 seconds, and a failure or no record for 5. */
const resolveByDns: ResolveName = (name) => {
  const known = addressCache.get(name)
  if (known) return known
  const addresses = queryDns({ name, records: 'addresses', servers: [], timeoutMs: TIMEOUT_MS })
  addressCache.set(name, addresses)
  const keep = (ttl: number) => void addressCache.set(name, addresses, { ttl })
  addresses.then(
    (found) => keep(found.length > 0 ? KEPT_MS : EMPTY_KEPT_MS),
    () => keep(EMPTY_KEPT_MS),
  )
  return addresses
}

// No connection tries as many as these in its time.
const MAX_ADDRESSES = 32

/** Returns the addresses of a host, at most 32. The host can be an address itself. */
export async function resolveHost(host: string, resolve: ResolveName = resolveByDns): Promise<HostAddress[]> {
  const addresses = await addressesOf(host, resolve)
  return addresses
    .slice(0, MAX_ADDRESSES)
    .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}

async function addressesOf(host: string, resolve: ResolveName): Promise<string[]> {
  if (isIP(host)) return [host]
  return isLocal(host) ? ['127.0.0.1'] : resolve(host)
}

interface Options {
  /** Whether loopback hosts are allowed, in development. */
  allowLocal: boolean
  /** The error of a connection to a name with an address that is not public. */
  refusal: () => Error
  resolve?: ResolveName | undefined
}

/**
 * Returns a `lookup` function for connections that refuses addresses that are not public. The connection uses the
 * checked address, so DNS rebinding is not possible. Node does not call it for IP literals; `readPublicUrl` checks
 * those.
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
