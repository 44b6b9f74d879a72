import { Worker } from 'node:worker_threads'

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

interface Waiting {
  resolve: (found: string[]) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  waiting: Map<number, Waiting>
}

let thread: Thread | undefined
let lastId = 0

/**
 * Queries DNS in a thread of its own. Returns at most 100 records; none if the name has none. Throws if DNS does not
 * respond. A store's name server can send 6,300 addresses for a name, and to parse these takes 27 ms, in which the
 * process would do nothing else. The look-up of the operating system would take a thread for each name.
 */
export function queryDns(query: Omit<DnsQuery, 'id'>): Promise<string[]> {
  thread ??= startThread()
  const { worker, waiting } = thread
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const id = ++lastId
  const failed = (code: string) => Object.assign(new Error(`${code}: DNS query of ${query.name}`), { code })
  waiting.set(id, { resolve, reject: (error) => reject(failed(error.message)) })
  worker.postMessage({ ...query, id } satisfies DnsQuery)
  return promise
}

function startThread(): Thread {
  const waiting: Thread['waiting'] = new Map()
  // Without the options of the process, such as modules that it preloads.
  const worker = new Worker(new URL('./dns-thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  const started = { worker, waiting }
  worker.on('message', (reply: DnsReply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('found' in reply) one?.resolve(reply.found)
    else one?.reject(new Error(reply.code))
  })
  worker.on('error', (error) => {
    if (thread === started) thread = undefined
    for (const one of waiting.values()) one.reject(error)
  })
  // It does not keep the process alive.
  worker.unref()
  return started
}
