import type { IncomingMessage } from 'node:http'
import { config } from '#shared/platform/config/config.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import { clientAddress, plainAddress } from './client-address.ts'

/** The addresses of a request's client. */
export interface RequestAddresses {
  ip: string
  /** The address that limits count, see `clientAddress`. */
  address: string
  /** The network that limits count, see `networkOfAddress`. */
  network: string
}

/** Of an IPv6 address with brackets, a port and a comma. */
const MAX_ADDRESS_LENGTH = 64

const ADDRESSES = Symbol('addresses')

/** Returns the addresses of a request. It computes them once, because each request needs them several times. */
export function addressesOf(request: IncomingMessage & { [ADDRESSES]?: RequestAddresses }): RequestAddresses {
  request[ADDRESSES] ??= readAddresses(request)
  return request[ADDRESSES]
}

function readAddresses(request: IncomingMessage): RequestAddresses {
  const claimed = forwardedAddress(request) || request.socket.remoteAddress || ''
  const ip = plainAddress(claimed)
  return { ip, address: clientAddress(claimed), network: networkOfAddress(ip) }
}

/** Returns the address that the outermost trusted proxy saw; undefined without a proxy. */
function forwardedAddress({ headers }: IncomingMessage): string | undefined {
  const { TRUST_PROXY, PROXY_HOPS } = config()
  if (!TRUST_PROXY) return undefined
  // Each proxy appends the address of its client. A client can send a thousand addresses before these.
  const trusted = `${headers['x-forwarded-for'] ?? ''}`.slice(-PROXY_HOPS * MAX_ADDRESS_LENGTH)
  return trusted.split(',').slice(-PROXY_HOPS)[0]?.trim()
}
