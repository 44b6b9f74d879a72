import { Resolver } from 'node:dns/promises'
import { config } from '#shared/platform/config/config.ts'

/** Asks the domain name system. */
export interface DnsGateway {
  /** The texts that stand at a name: none when there are none. Throws when DNS does not answer. */
  texts(name: string): Promise<string[]>
}

const TIMEOUT_MS = 2_000
const TRIES = 2

/** A resolver of its own for each question, so that a name server that keeps silent holds up no other question. */
export function createDnsGateway(servers = config().DNS_SERVERS): DnsGateway {
  return {
    async texts(name) {
      const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
      if (servers) resolver.setServers(servers.split(','))
      // A long text travels in pieces (RFC 1035, section 3.3.14).
      const records = await resolver.resolveTxt(name).catch(noneWhereThereIsNone)
      return records.map((pieces) => pieces.join(''))
    },
  }
}

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

function noneWhereThereIsNone(error: NodeJS.ErrnoException): string[][] {
  if (NO_RECORD.has(error.code ?? '')) return []
  throw error
}
