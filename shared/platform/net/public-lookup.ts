import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'
import { hostOf, isLocal } from './public-url.ts'
import { type ResolveName, resolveHost } from './resolve-host.ts'

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
