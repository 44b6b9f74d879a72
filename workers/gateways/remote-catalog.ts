import { Agent, type Dispatcher } from 'undici'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import type { ResolveName } from '#shared/platform/net/resolve-host.ts'
import { publicLookup } from '#shared/platform/net/resolve-host.ts'
import { HOUR_MS, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { PageQuestion } from '#shared/remote-catalog/question.ts'
import type { RemoteItem, RemotePage } from '#shared/remote-catalog/remote-item.ts'
import { readRetryAfter } from '#shared/webhooks/retry-schedule.ts'
import { readItem, readPage } from './remote-format.ts'

/** Why an external system could not be read, in words that may be shown: they hold neither its address nor the key. */
export class RemoteFailure extends Error {}

/** It was asked too soon, and says how long to stay away. */
export class RemoteTooSoon extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('The external system was asked too soon')
    this.waitMs = waitMs
  }
}

interface System {
  baseUrl: string
  apiKey: string
}

/**
 * Reads the catalog of an external system at an address that a store chose. The URL and every address that its host
 * resolves to are checked, the connection goes to one of those, no redirect is followed, and neither time nor size is
 * without end. Throws `RemoteFailure` and `RemoteTooSoon`. What it speaks: PUT /admin/remote/settings.
 */
export interface RemoteCatalogGateway {
  page(system: System, question: PageQuestion, signal: AbortSignal): Promise<RemotePage>
  /** Null when it has no such item. */
  item(system: System, id: string, signal: AbortSignal): Promise<RemoteItem | null>
  close(): Promise<void>
}

interface Options {
  /** Development: loopback hosts, over plain http too. */
  allowLocal: boolean
  resolve?: ResolveName
}

/** 200 items of 10 KB each. */
const LARGEST_BYTES = 2 * 1024 * 1024
const CONNECT_MS = 5_000

export function createRemoteCatalogGateway({ allowLocal, resolve }: Options): RemoteCatalogGateway {
  const refusal = () => new RemoteFailure('its host is not public')
  const agent = new Agent({
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { lookup: publicLookup({ allowLocal, resolve, refusal }), timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })

  async function get({ baseUrl, apiKey }: System, path: string, signal: AbortSignal) {
    // Addresses in numbers are never looked up, so they are judged here alone.
    const url = readPublicUrl(`${baseUrl}${path}`, { allowLocal })
    if (typeof url === 'string') throw refusal()
    const headers = {
      accept: 'application/json',
      'user-agent': 'Commerce-Remote-Catalog/1',
      'x-api-key': apiKey,
    }
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers,
        signal,
      })
      return { response, body: await readAll(response.body) }
    } catch (error) {
      throw translate(error)
    }
  }

  return {
    async page(system, question, signal) {
      const { response, body } = await get(system, `/items?${queryOf(question)}`, signal)
      assertOk(response)
      return readPage(body, question.page_size) ?? garbled()
    },
    async item(system, id, signal) {
      const { response, body } = await get(system, `/items/${encodeURIComponent(id)}`, signal)
      if (response.statusCode === 404) return null
      assertOk(response)
      const item = readItem(body)
      return item?.id === id ? item : garbled()
    },
    close: () => agent.close(),
  }
}

const queryOf = (question: PageQuestion): URLSearchParams =>
  new URLSearchParams(
    Object.entries(question).map(([name, value]): [string, string] => [name, String(value)]),
  )

function garbled(): never {
  throw new RemoteFailure('its answer is not in the format that was agreed')
}

const SHORTEST_WAIT_MS = SECOND_MS
const LONGEST_WAIT_MS = HOUR_MS

function assertOk({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode === 200) return
  if (statusCode === 401 || statusCode === 403) throw new RemoteFailure('it refuses the API key')
  if (statusCode !== 429) throw new RemoteFailure(`it answers with the status ${statusCode}`)
  const asked = readRetryAfter(String(headers['retry-after'] ?? ''), now()) ?? 0
  throw new RemoteTooSoon(Math.min(Math.max(asked, SHORTEST_WAIT_MS), LONGEST_WAIT_MS))
}

async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of body) {
    read += chunk.length
    if (read > LARGEST_BYTES) throw new RemoteFailure('its answer has no end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function translate(error: unknown): Error {
  if (error instanceof RemoteFailure) return error
  const { name } = error as Error
  const isLate = name === 'TimeoutError' || name === 'AbortError'
  return new RemoteFailure(isLate ? 'it does not answer in time' : 'it cannot be reached', { cause: error })
}
