import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { Access } from '#api/platform/auth/access.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import { beginBody } from '#api/platform/rate-limits/byte-budgets.ts'
import type { Reservation } from '#shared/platform/byte-budget.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { assertLength, assertMediaType, hasBody, lengthOf } from './body-headers.ts'
import { readAtPace } from './body-pace.ts'
import { scanJson } from './json-scan.ts'
import { rejectHostileJson } from './text.ts'

const parsers = new Map<number, ReturnType<typeof koaBody>>()

/** Returns koa-body's parser for JSON bodies of at most `limit` bytes. Each limit has one parser. */
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
 * Lets the process do other work after each piece of a body. Each turn of the event loop reads a piece of only one
 * large body: otherwise twenty bodies of 1 MB at a time would delay each step of other requests by 0.4 s.
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

function translate(error: Error & { status?: number }, limit: number) {
  if (error.status === 413) return RequestErrors.tooLarge({ limit })
  if (error.message.includes('aborted')) return RequestErrors.malformed({ why: 'the body ended early' })
  return RequestErrors.malformed({ why: 'the body is not JSON' })
}
