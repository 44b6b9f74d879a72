import ipaddr from 'ipaddr.js'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** What limits tell callers apart by: an IPv4 address, or the /64 of an IPv6 one, which is what one customer is given. */
export function clientAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped) return mapped
  if (!ipaddr.IPv6.isValid(ip)) return ip
  const { parts } = ipaddr.IPv6.parse(ip)
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
