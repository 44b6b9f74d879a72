import ipaddr from 'ipaddr.js'

// Only 2000::/3 is allocated for the public IPv6 internet; these ranges of it are special.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const SPECIAL: [ipaddr.IPv6, number][] = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range))

// These ranges are public unicast, but clouds use them for internal services that answer any of their machines.
const OF_THE_CLOUD: [ipaddr.IPv4, number][] = [
  '168.63.129.16/32', // Azure's wire server: goal state, extensions' settings
  '161.26.0.0/16', // IBM Cloud: infrastructure services
  '166.8.0.0/14', // IBM Cloud: service endpoints
].map((range) => ipaddr.IPv4.parseCIDR(range))

/**
 * Whether an IP address in canonical text is public. IPv4: all but the special ranges (IANA, RFC 6890). IPv6: only
 * global unicast. That excludes every form of an IPv4 address in an IPv6 address (mapped, compatible, NAT64, 6to4).
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIPv4(ipaddr.IPv4.parse(text))
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  if (address.zoneId) return false
  return address.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => address.match(range))
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !OF_THE_CLOUD.some((range) => address.match(range))

/** Whether an address is a loopback address. */
export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
