import { Resolver } from 'node:dns/promises'
import { config } from '#shared/platform/config/config.ts'

export interface DnsGateway {
  /** Returns the TXT records of a name; an empty list if it has none. Throws if DNS does not respond. */
  texts(name: string): Promise<string[]>
}

const TIMEOUT_MS = 2_000
const TRIES = 2

/** Creates a DNS gateway. Each query has its own resolver, so that a silent name server delays no other query. */
export function createDnsGateway(servers = config().DNS_SERVERS): DnsGateway {
  return {
    async texts(name) {
      const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
      if (servers) resolver.setServers(servers.split(','))
      // A long text is split into strings (RFC 1035, section 3.3.14).
      const records = await resolver.resolveTxt(name).catch(emptyWithoutRecord)
      return records.map((pieces) => pieces.join(''))
    },
  }
}

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

function emptyWithoutRecord(error: NodeJS.ErrnoException): string[][] {
  if (NO_RECORD.has(error.code ?? '')) return []
  throw error
}
