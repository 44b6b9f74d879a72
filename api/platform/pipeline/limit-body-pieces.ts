import type { IncomingMessage } from 'node:http'
import { areTinyPieces } from '#shared/platform/net/are-tiny-pieces.ts'
import { ignoreBody } from './stop-parsing.ts'

/**
 * Calls `refuse` once if the body of a request comes in tiny chunks, and drops the rest of it. Each chunk takes the
 * readers of a body some microseconds, and a packet of 64 KB holds 10,000 of them: 100 KB would take half a second of
 * processor time.
 *
 * Node's HTTP parser passes each chunk to `push`. Later, the stream joins chunks before anybody could count them.
 */
export function limitBodyPieces(request: IncomingMessage, refuse: () => void): void {
  let pieces = 0
  let bytes = 0
  let isRefused = false
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    // Also drop the end, so that no reader takes the first part for the whole.
    if (isRefused) return true
    if (chunk === null) return push(null)
    bytes += chunk.length
    if (!areTinyPieces(++pieces, bytes)) return push(chunk, encoding)
    isRefused = true
    refuse()
    ignoreBody(request.socket)
    return true
  }
  // Node dumps the rest of a body that nobody has read at the end of the response, without passing it to `push`.
  Object.assign(request, { _dump: () => request.resume() })
}
