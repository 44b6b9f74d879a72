import ipaddr from 'ipaddr.js'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i
const MAX_LENGTH = 45

/** Normalizes an address of a socket or proxy: without a port, and IPv4-mapped IPv6 as IPv4. */
export function plainAddress(address: string): string {
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  const ip = v4 ?? v6 ?? address
  return MAPPED.exec(ip)?.[1] ?? ip.slice(0, MAX_LENGTH)
}

/**
 * Returns the address that rate limits count: IPv4 as it is, IPv6 by its /64, which providers assign to one customer.
 */
export function clientAddress(address: string): string {
  const ip = plainAddress(address)
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip
  const { parts } = ipaddr.IPv6.parse(ip)
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
