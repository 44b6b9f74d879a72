import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Accounts, type TillAccount, type TillLimit } from '#test/sandbox/till/accounts.ts'
import { Conduct, type TillBehaviour } from '#test/sandbox/till/behaviour.ts'
import { filterItems, makeItems, type TillItem } from '#test/sandbox/till/items.ts'

/**
 * A till: the external system whose catalog stores browse. Every call is a GET with the API key in `X-Api-Key`
 * (8 to 200 visible characters; every such key is an account):
 *
 *   /items?page=1&page_size=50&q=&category_id=&is_active=true|false&updated_since=<ISO 8601>
 *     → 200 {"items": [item, …], "page": 1, "page_size": 50, "total": 3000}
 *   /items/<id> → 200 item, 404 for an unknown id
 *
 * 401 without a key; 429 with `Retry-After` for a key over its limit, and for a minute after that.
 */
export interface Till {
  url: string
  items: readonly TillItem[]
  /** Paths with their queries, of one key or of all, in the order of arrival. */
  reads(key?: string): string[]
  account(key: string): TillAccount
  allow(limit: Partial<TillLimit>): void
  behave(behaviour: TillBehaviour): void
  /** Resolves once this many requests hang. Rejects after 30 s. */
  untilHeld(count: number): Promise<void>
  /** Releases every hanging request and returns their number. */
  release(): number
  stop(): Promise<void>
}

interface TillOptions extends Partial<TillLimit> {
  /** 0, the default, picks a free one. */
  port?: number
  /** The number of items. */
  size?: number
}

interface State {
  items: TillItem[]
  accounts: Accounts
  conduct: Conduct
  reads: { key: string; path: string }[]
}

const LARGEST_PAGE = 200
const READS_KEPT = 10_000
const HELD_WITHIN_MS = 30_000

export async function startTill(options: TillOptions = {}): Promise<Till> {
  const { port = 0, size = 3_000, perSecond = 5, burst = 5, banMs = 60_000 } = options
  const state: State = {
    items: makeItems(size),
    accounts: new Accounts({ perSecond, burst, banMs }),
    conduct: new Conduct(),
    reads: [],
  }
  const server = createServer((request, response) => {
    route(state, request, response).catch((error) => json(response, 400, { error: String(error) }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    items: state.items,
    reads: (key) => state.reads.filter((read) => !key || read.key === key).map(({ path }) => path),
    account: (key) => state.accounts.of(key),
    allow: (limit) => void state.accounts.allow(limit),
    behave: (behaviour) => state.conduct.set(behaviour),
    async untilHeld(count) {
      const deadline = AbortSignal.timeout(HELD_WITHIN_MS)
      while (state.conduct.held.size < count) await once(server, 'read', { signal: deadline })
    },
    release: () => state.conduct.held.release(),
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function route(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://till')
    if (pathname.startsWith('/_sandbox/')) return control(state, request, response, pathname)
    const key = String(request.headers['x-api-key'] ?? '')
    if (!/^[\x21-\x7e]{8,200}$/.test(key)) return json(response, 401, { error: 'Send an API key' })
    const seconds = state.accounts.count(key)
    state.reads.push({ key, path: request.url ?? '' })
    if (state.reads.length > READS_KEPT) state.reads.shift()
    const answered = seconds === null && state.conduct.answer(response)
    server.emit('read')
    if (seconds !== null)
      return json(response, 429, { error: 'Too many requests' }, { 'retry-after': String(seconds) })
    if (await answered) return
    if (request.method !== 'GET') return json(response, 405, { error: 'GET' })
    if (pathname === '/items') return json(response, 200, pageOf(state.items, searchParams))
    const id = decodeURIComponent(pathname.replace(/^\/items\//, ''))
    const item = state.items.find((one) => one.id === id)
    return item ? json(response, 200, item) : json(response, 404, { error: 'No such item' })
  }
}

function pageOf(items: TillItem[], query: URLSearchParams) {
  const page = Number(query.get('page') ?? 1)
  const page_size = Math.min(Number(query.get('page_size') ?? 50), LARGEST_PAGE)
  const [isActive, since] = [query.get('is_active'), query.get('updated_since')]
  const found = filterItems(items, {
    q: query.get('q') ?? undefined,
    categoryId: query.get('category_id') ?? undefined,
    isActive: isActive === null ? undefined : isActive === 'true',
    updatedSince: since === null ? undefined : new Date(since),
  })
  return {
    items: found.slice((page - 1) * page_size, page * page_size),
    page,
    page_size,
    total: found.length,
  }
}

/** The till's control API for tests, without a key. */
async function control(
  { accounts, conduct, reads }: State,
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<void> {
  const body = await text(request)
  switch (`${request.method} ${pathname.replace('/_sandbox', '')}`) {
    case 'GET /accounts':
      return json(response, 200, accounts.all())
    case 'DELETE /accounts':
      accounts.forget()
      reads.length = 0
      return json(response, 200, {})
    case 'GET /reads':
      return json(response, 200, reads)
    case 'PUT /limit':
      return json(response, 200, accounts.allow(JSON.parse(body) as Partial<TillLimit>))
    case 'PUT /behaviour':
      conduct.set(JSON.parse(body) as TillBehaviour)
      return json(response, 200, {})
    case 'POST /release':
      return json(response, 200, { released: conduct.held.release() })
    default:
      return json(response, 404, { error: CONTROLS })
  }
}

const CONTROLS =
  'GET, DELETE /_sandbox/accounts, GET /_sandbox/reads, PUT /_sandbox/limit {perSecond, burst, banMs}, PUT /_sandbox/behaviour {mode}, POST /_sandbox/release'

function json(response: ServerResponse, status: number, body: unknown, headers = {}) {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

if (import.meta.main) {
  const till = await startTill({ port: Number(process.env.TILL_PORT ?? 0) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void till.stop())
  console.log(`till: ${till.url}`)
}
