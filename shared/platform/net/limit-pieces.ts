import { areTinyPieces } from './are-tiny-pieces.ts'

const MOST_INFORMATIONAL = 10

/** Thrown if a response costs far more processor time than its bytes. */
export class TooManyPieces extends Error {}

/** The callbacks of an HTTP client (undici) that receive a response. */
interface ResponseHandler {
  onResponseStart?(controller: unknown, statusCode: number, ...rest: unknown[]): void
  onResponseData?(controller: unknown, chunk: Buffer): void
}

type Dispatch<O, H> = (options: O, handler: H) => boolean

/**
 * Interceptor for a client of hosts that stores configured. It ends a response with `TooManyPieces` that has many
 * informational responses (status 1xx) before it, or a body of tiny chunks. A packet of 64 KB holds 3,800 of these or
 * 10,000 of those, and the event loop handles all of them before anything else. Neither counts as bytes of the body.
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
      if (statusCode < 200 && ++informational > MOST_INFORMATIONAL)
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
