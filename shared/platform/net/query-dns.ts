import { Worker } from 'node:worker_threads'
import { log } from '#shared/platform/log.ts'

/** A query as the thread receives it. */
export interface DnsQuery {
  id: number
  name: string
  /** `addresses` are those of the A and AAAA records, `texts` those of TXT records. */
  records: 'addresses' | 'texts'
  /** `address[:port]` of the name servers; empty: the machine's own. */
  servers: string[]
  /** The time of one of two tries. */
  timeoutMs: number
}

export type DnsReply = { id: number; found: string[] } | { id: number; code: string }

interface PendingQuery {
  resolve: (found: string[]) => void
  reject: (code: string) => void
}

interface Thread {
  worker: Worker
  pending: Map<number, PendingQuery>
}

let thread: Thread | undefined
let lastId = 0

/** Longer than both tries of a query, if the thread is not busy. */
const DEADLINE_MS = 10_000

/**
 * Queries DNS in a thread of its own. Returns at most 100 records; none if the name has none. Throws if DNS does not
 * respond. A store's name server can send 6,300 addresses for a name, and to parse these takes 27 ms, in which the
 * process would do nothing else. The look-up of the operating system would occupy one of four threads until a slow name
 * server responds.
 */
export function queryDns(query: Omit<DnsQuery, 'id'>): Promise<string[]> {
  thread ??= startThread()
  const { worker, pending } = thread
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const id = ++lastId
  const failed = (code: string) => Object.assign(new Error(`${code}: DNS query of ${query.name}`), { code })
  const deadline = setTimeout(() => reject(failed('ETIMEOUT')), DEADLINE_MS)
  pending.set(id, { resolve, reject: (code) => reject(failed(code)) })
  worker.ref()
  worker.postMessage({ ...query, id } satisfies DnsQuery)
  return promise.finally(() => {
    clearTimeout(deadline)
    pending.delete(id)
    // The thread keeps the process alive only while a query is pending.
    if (pending.size === 0) worker.unref()
  })
}

function startThread(): Thread {
  const pending: Thread['pending'] = new Map()
  // Start the thread without the options of the process, such as modules that it preloads.
  const worker = new Worker(new URL('./dns-thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  const started = { worker, pending }
  worker.on('message', (reply: DnsReply) => {
    const query = pending.get(reply.id)
    if ('found' in reply) query?.resolve(reply.found)
    else query?.reject(reply.code)
  })
  worker.on('error', (error) => log.error({ err: error }, 'the DNS thread failed'))
  worker.on('exit', () => {
    if (thread === started) thread = undefined
    for (const query of pending.values()) query.reject('ECANCELLED')
  })
  worker.unref()
  return started
}
