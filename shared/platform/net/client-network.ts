import ipaddr from 'ipaddr.js'

const IPV6_BITS = 48

/**
 * The network of a caller's address, as limits over all stores count it: IPv4 as it is, IPv6 by its /48. Whoever rents
 * a server can have a /48 of 65,536 networks, and one caller of a /64 is counted by its own limits.
 */
export function clientNetwork(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ipaddr.IPv6.parse(ip).toNormalizedString()}/${IPV6_BITS}`)}/${IPV6_BITS}`
}
