import ipaddr from 'ipaddr.js'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i
const LONGEST = 45

/** An address as the socket or a proxy says it: without the port that some add, and IPv4 in four decimals. */
export function plainAddress(said: string): string {
  const [, v4, v6] = WITH_PORT.exec(said) ?? []
  const ip = v4 ?? v6 ?? said
  return MAPPED.exec(ip)?.[1] ?? ip.slice(0, LONGEST)
}

/** What limits tell callers apart by: an IPv4 address, or the /64 of an IPv6 one, which is what one customer is given. */
export function clientAddress(said: string): string {
  const ip = plainAddress(said)
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip
  const { parts } = ipaddr.IPv6.parse(ip)
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
