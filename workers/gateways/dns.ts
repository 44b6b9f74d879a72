import { config } from '#shared/platform/config/config.ts'
import { queryDns } from '#shared/platform/net/query-dns.ts'

export interface DnsGateway {
  /** Returns the TXT records of a name; an empty list if it has none. Throws if DNS does not respond. */
  texts(name: string): Promise<string[]>
}

const TIMEOUT_MS = 2_000

/** Creates a DNS gateway. */
export const createDnsGateway = (servers = config().DNS_SERVERS): DnsGateway => ({
  texts: (name) =>
    queryDns({ name, records: 'texts', servers: servers ? servers.split(',') : [], timeoutMs: TIMEOUT_MS }),
})
