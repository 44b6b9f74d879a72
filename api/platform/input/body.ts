import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { Access } from '#api/platform/auth/access.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import { beginBody } from '#api/platform/rate-limits/byte-budgets.ts'
import type { Reservation } from '#shared/platform/byte-budget.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { readAtPace, StreamPace } from './body-pace.ts'
import { scanJson } from './json-scan.ts'
import { rejectHostileJson } from './text.ts'

const parsers = new Map<number, ReturnType<typeof koaBody>>()

/** Creates a parser of koa-body for JSON only. */
function jsonParser(limit: number) {
  let parser = parsers.get(limit)
  if (!parser) {
    parser = koaBody({
      json: true,
      jsonLimit: limit,
      jsonStrict: false,
      urlencoded: false,
      text: false,
      multipart: false,
      parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
      onError: (error) => {
        throw error instanceof CodedError ? error : translate(error as Error & { status?: number }, limit)
      },
    })
    parsers.set(limit, parser)
  }
  return parser
}

/** Reads a JSON body of at most `limit` bytes; undefined without a body. Throws 400, 413, 415 or 429. */
export async function readJson(ctx: Context, limit: number, kind: Access['kind']): Promise<unknown> {
  if (!hasBody(ctx)) return undefined
  assertMediaType(ctx, 'application/json')
  assertLength(ctx, limit)
  const bytes = lengthOf(ctx) ?? limit
  const assertUtf8 = watchEncoding(ctx.req)
  const arrived = countBytes(ctx.req)
  if (bytes > SMALL_BODY) readInTurns(ctx.req, ctx.state.storeId)
  refuseHostileBytes(ctx.req, beginBody(ctx, kind))
  await readAtPace(bytes, () => jsonParser(limit)(ctx as never, async () => {}))
  ctx.state.bodyBytes = arrived()
  assertUtf8()
  const { body } = ctx.request as unknown as { body: unknown }
  rejectHostileJson(body)
  return body
}

/** Checks the bytes while the parser reads them, because the parser would silently replace bytes that are not UTF-8. */
function watchEncoding(stream: IncomingMessage): () => void {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  const decode = (bytes?: Buffer) => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  stream.on('data', decode)
  return () => {
    decode()
    if (!isUtf8) throw RequestErrors.malformed({ why: 'the body is not UTF-8' })
  }
}

// Most bodies are smaller, and are read in a millisecond.
const SMALL_BODY = 16 * 1024

/**
 * Lets the process do other work after each piece of a body. The pieces of all large bodies have turns of the event
 * loop of their own: otherwise twenty bodies of 1 MB at a time would delay each step of other requests by 0.4 s.
 */
function readInTurns(stream: IncomingMessage, storeId: string | undefined): void {
  stream.on('data', () => {
    stream.pause()
    void takeTurn(storeId).then(() => stream.resume())
  })
}

/** Counts the bytes of a body. Its length is not always announced. */
function countBytes(stream: IncomingMessage): () => number {
  let count = 0
  stream.on('data', (bytes: Buffer) => {
    count += bytes.length
  })
  return () => count
}

/** Ends the reading of a body as soon as it has too many values or levels, or finds no room in the budget. */
function refuseHostileBytes(stream: IncomingMessage, reservation: Reservation): void {
  const scan = scanJson()
  const check = (bytes: Buffer) => {
    try {
      reservation.grow(bytes.length)
      scan(bytes)
    } catch (error) {
      stream.off('data', check)
      // The parser stops at an error of its stream. Discard the rest, because a closed connection could not send the
      // response.
      stream.emit('error', error)
      stream.resume()
    }
  }
  stream.on('data', check)
}

function hasBody(ctx: Context): boolean {
  return (
    ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0
  )
}

const UTF8 = /^utf-?8$/i

/** Throws 415 if the body has none of these media types, is not UTF-8 or is compressed. */
export function assertMediaType(ctx: Context, ...accepted: string[]): void {
  // Letter case of a media type does not matter (RFC 9110, section 8.3.1).
  const type = ctx.request.type.trim().toLowerCase()
  const charset = ctx.request.charset
  const encoding = ctx.get('Content-Encoding')
  if (!accepted.includes(type) || (charset && !UTF8.test(charset)) || (encoding && encoding !== 'identity'))
    throw RequestErrors.unsupportedMediaType({ accepts: accepted.join(' or ') })
}

/** Returns the announced length of the body in bytes; undefined without one. */
export function lengthOf(ctx: Context): number | undefined {
  const { 'content-length': length } = ctx.req.headers
  return length === undefined ? undefined : Number(length)
}

/** Throws 413 if the announced length is over the limit. */
export function assertLength(ctx: Context, limit: number): void {
  if ((lengthOf(ctx) ?? 0) > limit) throw RequestErrors.tooLarge({ limit })
}

const reservations = new WeakMap<IncomingMessage, Reservation>()

/** Reserves the bytes of a body that `streamBytes` reads, as they arrive. */
export function reserveStream(stream: IncomingMessage, reservation: Reservation): void {
  reservations.set(stream, reservation)
}

/**
 * Yields the bytes of a body as they arrive, for operations that take a stream. Throws `request.too_large` after
 * `limit` bytes, even without an announced length, `request.malformed` if the body ends early or arrives too slowly,
 * and `rate_limit.exceeded` if its reservation finds no room.
 */
export async function* streamBytes(stream: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const pace = new StreamPace()
  const reservation = reservations.get(stream)
  // Keep the stream open after an early end, and discard the rest, because a closed connection could not send the
  // response.
  const chunks = stream.iterator({ destroyOnReturn: false })
  let total = 0
  try {
    for (let next = await pace.next(chunks); !next.done; next = await pace.next(chunks)) {
      total += next.value.length
      if (total > limit) throw RequestErrors.tooLarge({ limit })
      reservation?.grow(next.value.length)
      yield next.value
    }
  } catch (error) {
    throw stream.errored === error ? RequestErrors.malformed({ why: 'the body ended early' }) : error
  } finally {
    // Do not await it: the iterator ends only when the bytes that it waits for have arrived, and the stream flows only
    // after that.
    void discardRest(stream, chunks)
  }
}

async function discardRest(stream: IncomingMessage, chunks: AsyncIterator<Buffer>): Promise<void> {
  await chunks.return?.().catch(() => undefined)
  stream.resume()
}

function translate(error: Error & { status?: number }, limit: number) {
  if (error.status === 413) return RequestErrors.tooLarge({ limit })
  if (error.message.includes('aborted')) return RequestErrors.malformed({ why: 'the body ended early' })
  return RequestErrors.malformed({ why: 'the body is not JSON' })
}
