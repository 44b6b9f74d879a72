import { Agent, buildConnector, type Dispatcher } from 'undici'
import { readResponse } from '#shared/platform/http/read-response.ts'
import { connectToHost } from '#shared/platform/net/connect-to-host.ts'
import { keepAliveFor } from '#shared/platform/net/keep-alive-for.ts'
import { limitPieces, TooManyPieces } from '#shared/platform/net/limit-pieces.ts'
import { parseRetryAfter } from '#shared/platform/net/parse-retry-after.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { publicLookup, type ResolveName } from '#shared/platform/net/resolve-host.ts'
import { HOUR_MS, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import type { RemoteItem, RemotePage } from '#shared/remote-catalog/remote-item.ts'
import type { PageRequest } from '#shared/remote-catalog/remote-request.ts'
import { readItem, readPage } from './remote-format.ts'

/**
 * Thrown if an external system could not be read. Staff see the message, so it contains neither the URL nor the key.
 */
export class RemoteFailure extends Error {}

/** Thrown if the external system responded 429. It has the time to wait. */
export class RemoteRateLimited extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('The external system limits the rate')
    this.waitMs = waitMs
  }
}

interface System {
  baseUrl: string
  apiKey: string
  /**
   * Consumes a quota by the bytes of a response, also of a refused or incomplete one, before it is parsed. Throws
   * `RemoteRateLimited` if they are too many.
   */
  consumeBytes?: (bytes: number) => Promise<void>
}

/**
 * Reads the catalog of an external system at a URL that a store configured. Checks the URL and every address that its
 * host resolves to, connects to one of them, follows no redirect, and limits time and size. Throws `RemoteFailure` and
 * `RemoteRateLimited`. PUT /admin/remote/settings describes the protocol.
 */
export interface RemoteCatalogGateway {
  page(system: System, request: PageRequest, signal: AbortSignal): Promise<RemotePage>
  /** Reads an item; null if the system does not have it. */
  item(system: System, id: string, signal: AbortSignal): Promise<RemoteItem | null>
  close(): Promise<void>
}

interface Options {
  /** Whether loopback hosts are allowed, also over plain http, in development. */
  allowLocal: boolean
  resolve?: ResolveName
}

// A page of 200 items of 2.5 KB and a hundred fields each. A usual one has 100 KB. One of 1.6 MB took the worker 100 ms
// of processor time and the web process 40 ms. A reviver reads each value, and the bytes could hold 175,000.
const MOST = { bytes: 512 * 1024, levels: 16, values: 20_000, names: 5_000 }
const CONNECT_MS = 5_000

const refusal = () => new RemoteFailure('its host is not public')

export function createRemoteCatalogGateway({ allowLocal, resolve }: Options): RemoteCatalogGateway {
  const agent = new Agent({
    connections: null,
    pipelining: 1,
    ...keepAliveFor(),
    connect: connectToHost(buildConnector, {
      lookup: publicLookup({ allowLocal, resolve, refusal }),
      timeout: CONNECT_MS,
    }),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  }).compose(limitPieces)

  async function get(system: System, path: string, signal: AbortSignal) {
    // This line alone checks a host that is an IP address: Node does not look it up.
    const url = readPublicUrl(`${system.baseUrl}${path}`, { allowLocal })
    if (typeof url === 'string') throw refusal()
    const fetched = await fetchText(agent, url, system, signal)
    // Large pages that arrive together are parsed in separate turns of the event loop.
    await takeTurn(system.baseUrl)
    return fetched
  }

  return {
    async page(system, request, signal) {
      const { response, body } = await get(system, `/items?${queryOf(request)}`, signal)
      assertOk(response)
      return readPage(body, request.page_size) ?? invalidResponse()
    },
    async item(system, id, signal) {
      const { response, body } = await get(system, `/items/${encodeURIComponent(id)}`, signal)
      if (response.statusCode === 404) return null
      assertOk(response)
      const item = readItem(body)
      return item?.id === id ? item : invalidResponse()
    },
    close: () => agent.close(),
  }
}

async function fetchText(agent: Dispatcher, url: URL, { apiKey, consumeBytes }: System, signal: AbortSignal) {
  const headers = {
    accept: 'application/json',
    'user-agent': 'Commerce-Remote-Catalog/1',
    'x-api-key': apiKey,
  }
  const path = url.pathname + url.search
  const response = await agent
    .request({ origin: url.origin, path, method: 'GET', headers, signal })
    .catch(throwTranslated)
  const arrived = { bytes: 0 }
  try {
    return { response, body: await readBody(response, arrived).catch(throwTranslated) }
  } finally {
    // Count refused responses, too: one that is refused at its end takes as much processor time as an accepted one.
    await consumeBytes?.(arrived.bytes)
  }
}

const refuseResponse = (excess: string) => new RemoteFailure(`its response has ${excess}`)

/** Reads the body, and ends the connection at the first excess. Counts in `arrived` what has arrived until then. */
async function readBody(
  { body, headers }: Dispatcher.ResponseData,
  arrived: { bytes: number },
): Promise<string> {
  async function* arriving() {
    // Refuse a body that announces too many bytes before reading it.
    if (Number(headers['content-length']) > MOST.bytes) throw refuseResponse(`more than ${MOST.bytes} bytes`)
    for await (const chunk of body) {
      arrived.bytes += chunk.length
      yield chunk
    }
  }
  try {
    return (await readResponse(arriving(), MOST, refuseResponse)).toString('utf8')
  } finally {
    // Count the chunks that have arrived and were not read.
    arrived.bytes += body.readableLength
    body.destroy()
  }
}

const queryOf = (request: PageRequest): URLSearchParams =>
  new URLSearchParams(Object.entries(request).map(([name, value]): [string, string] => [name, String(value)]))

function invalidResponse(): never {
  throw new RemoteFailure('its response has an invalid format')
}

const MIN_WAIT_MS = SECOND_MS
const MAX_WAIT_MS = HOUR_MS

function assertOk({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode === 200) return
  if (statusCode === 401 || statusCode === 403) throw new RemoteFailure('it refuses the API key')
  if (statusCode !== 429) throw new RemoteFailure(`it responds with the status ${statusCode}`)
  const requestedMs = parseRetryAfter(String(headers['retry-after'] ?? ''), now()) ?? 0
  throw new RemoteRateLimited(Math.min(Math.max(requestedMs, MIN_WAIT_MS), MAX_WAIT_MS))
}

function throwTranslated(error: unknown): never {
  throw translate(error)
}

function translate(error: unknown): Error {
  if (error instanceof RemoteFailure || error instanceof RemoteRateLimited) return error
  if (error instanceof TooManyPieces) return new RemoteFailure(`its response has ${error.message}`)
  const { name } = error as Error
  const isLate = name === 'TimeoutError' || name === 'AbortError'
  return new RemoteFailure(isLate ? 'it does not respond in time' : 'it cannot be reached', { cause: error })
}
