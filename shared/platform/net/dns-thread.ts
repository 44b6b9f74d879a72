import { Resolver } from 'node:dns/promises'
import { parentPort } from 'node:worker_threads'
import type { DnsQuery, DnsReply } from './query-dns.ts'

/**
 * The thread of `queryDns`. It imports only types of the project, because a thread loads its modules again.
 */

/** The most records of a reply. A name server can send 6,300, and no caller needs so many. */
const MAX_RECORDS = 100

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

const emptyWithoutRecord = (error: NodeJS.ErrnoException): never[] => {
  if (NO_RECORD.has(error.code ?? '')) return []
  throw error
}

const RESOLVE: Record<DnsQuery['records'], (dns: Resolver, name: string) => Promise<string[]>> = {
  async addresses(dns, name) {
    const found = [dns.resolve4(name), dns.resolve6(name)].map((lookup) => lookup.catch(emptyWithoutRecord))
    return (await Promise.all(found)).flat()
  },
  async texts(dns, name) {
    const texts: string[][] = await dns.resolveTxt(name).catch(emptyWithoutRecord)
    // A long text is split into strings (RFC 1035, section 3.3.14).
    return texts.map((strings) => strings.join(''))
  },
}

async function reply({ id, name, records, servers, timeoutMs }: DnsQuery): Promise<DnsReply> {
  // Each query has its own resolver, so that a silent name server or its garbage fails no other query.
  const dns = new Resolver({ timeout: timeoutMs, tries: 2 })
  try {
    if (servers.length > 0) dns.setServers(servers)
    return { id, found: (await RESOLVE[records](dns, name)).slice(0, MAX_RECORDS) }
  } catch (error) {
    return { id, code: (error as NodeJS.ErrnoException).code ?? 'EFAILED' }
  }
}

parentPort?.on('message', async (query: DnsQuery) => parentPort?.postMessage(await reply(query)))
