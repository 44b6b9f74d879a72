import type { IncomingMessage, ServerResponse } from 'node:http'
import { areTinyPieces } from '#shared/platform/net/are-tiny-pieces.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { ignoreBody } from './stop-parsing.ts'

// A client that still sends its body when the response is written may send this much more. Otherwise the connection
// would break before the client reads why its request was refused.
const UNREAD_BYTES = 1024 * 1024
const UNREAD_MS = 5 * SECOND_MS
// Stricter than `areTinyPieces`: a body that is still read belongs to a request that a rate limit has counted.
const UNREAD_PIECES = 100
const UNREAD_PIECE_BYTES = 256

/**
 * Calls `refuse` once if the body of a request comes in tiny chunks, or goes on long after the response, and drops the
 * rest of it. Each chunk takes the readers of a body some microseconds, and a packet of 64 KB holds 10,000 of them: 100
 * KB would take half a second of processor time.
 *
 * Node's HTTP parser passes each chunk to `push`. Later, the stream joins chunks before anybody could count them.
 */
export function limitBodyPieces(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: () => void,
): void {
  let pieces = 0
  let bytes = 0
  let bytesAtResponse: number | undefined
  let isRefused = false
  const end = () => {
    isRefused = true
    refuse()
    ignoreBody(request.socket)
  }
  const isTooMuch = () =>
    bytesAtResponse === undefined
      ? areTinyPieces(pieces, bytes)
      : bytes > bytesAtResponse + UNREAD_BYTES || pieces > UNREAD_PIECES + bytes / UNREAD_PIECE_BYTES
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    // Also drop the end, so that no reader takes the first part for the whole.
    if (isRefused) return true
    if (chunk === null) return push(null)
    pieces += 1
    bytes += chunk.length
    if (!isTooMuch()) return push(chunk, encoding)
    end()
    return true
  }
  response.once('finish', () => {
    if (request.complete) return
    bytesAtResponse = bytes
    const endIfOpen = () => {
      if (!request.complete && !isRefused) end()
    }
    const timer = setTimeout(endIfOpen, UNREAD_MS).unref()
    request.once('end', () => clearTimeout(timer))
  })
  // After the response Node would not pass the rest of a body that nobody has read to `push`.
  Object.assign(request, { _dump: () => request.resume() })
}
