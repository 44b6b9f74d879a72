import ipaddr from 'ipaddr.js'

const IPV6_BITS = 48

/**
 * Returns the network of an address for limits over all stores: IPv4 as it is, IPv6 by its /48. Anyone who
 * rents a server can get a /48 with 65,536 networks. Other limits count a single caller by its /64.
 */
export function networkOfAddress(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip
  const address = ipaddr.IPv6.parse(ip).toNormalizedString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_BITS}`)}/${IPV6_BITS}`
}
