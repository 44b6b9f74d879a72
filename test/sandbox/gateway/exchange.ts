import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Phase } from './arrivals.ts'
import { newId } from './books.ts'
import type { Answer } from './idempotency.ts'

const LARGEST_BODY = 1024 * 1024

/** One request and its response. */
export type Exchange = {
  requestId: string
  method: string
  path: string
  query: URLSearchParams
  body: string
  idempotencyKey: string | undefined
  headers: IncomingMessage['headers']
  /** Aborts when the client disconnects before the response. */
  gone: AbortSignal
  response: ServerResponse
}

export async function readExchange(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gateway')
  return {
    requestId: newId('req'),
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    body: await readBody(request),
    idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    headers: request.headers,
    gone: gone.signal,
    response,
  }
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) throw new RangeError('The body is larger than 1 MB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The recorded fields of this request at this phase. */
export const stepOf = (exchange: Exchange, phase: Phase) => ({
  request_id: exchange.requestId,
  phase,
  method: exchange.method,
  path: exchange.path,
  idempotency_key: exchange.idempotencyKey ?? null,
  worker: String(exchange.headers['x-worker'] ?? exchange.headers['user-agent'] ?? '') || null,
})

/** Sends a response; false when the client disconnected before its end. */
export function reply(
  { response, gone }: Exchange,
  { status, body }: Answer,
  headers: Record<string, string> = {},
) {
  if (gone.aborted) return Promise.resolve(false)
  return new Promise<boolean>((resolve) => {
    response.once('close', () => resolve(response.writableFinished))
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`
    const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json'
    response.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      ...headers,
    })
    response.end(text, () => resolve(true))
  })
}

/** Resets the connection, as a crashed host does. */
export function cut({ response }: Exchange) {
  response.socket?.resetAndDestroy()
}
