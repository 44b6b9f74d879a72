import { areTinyPieces } from './are-tiny-pieces.ts'

const MAX_INFORMATIONAL = 10

/** Thrown if a response costs far more processor time than its bytes. */
export class TooManyPieces extends Error {}

/** The callbacks of an HTTP client (undici) that receive a response. */
interface ResponseHandler {
  onResponseStart?(controller: unknown, statusCode: number, ...rest: unknown[]): void
  onResponseData?(controller: unknown, chunk: Buffer): void
}

type Dispatch<O, H> = (options: O, handler: H) => boolean

/**
 * Interceptor for a client of hosts that stores configured. It throws `TooManyPieces` for a response with many
 * informational responses (status 1xx) before it, and for a body of tiny chunks. The event loop handles all of a packet
 * of 64 KB at once: 3,800 informational responses, or 10,000 chunks. The limit of a body's bytes does not count them.
 */
export const limitPieces =
  <O, H extends ResponseHandler>(dispatch: Dispatch<O, H>): Dispatch<O, H> =>
  (options, handler) =>
    dispatch(options, watch(handler))

/** Changes the handler, which the client makes for each request. */
function watch<H extends ResponseHandler>(handler: H): H {
  const start = handler.onResponseStart?.bind(handler)
  const data = handler.onResponseData?.bind(handler)
  let informational = 0
  let pieces = 0
  let bytes = 0
  const watched: ResponseHandler = {
    onResponseStart(controller, statusCode, ...rest) {
      if (statusCode < 200 && ++informational > MAX_INFORMATIONAL)
        throw new TooManyPieces('too many informational responses')
      start?.(controller, statusCode, ...rest)
    },
    onResponseData(controller, chunk) {
      bytes += chunk.length
      if (areTinyPieces(++pieces, bytes)) throw new TooManyPieces('too many small chunks')
      data?.(controller, chunk)
    },
  }
  return Object.assign(handler, watched)
}
