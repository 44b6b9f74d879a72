import type { IncomingMessage } from 'node:http'
import { RequestErrors } from '#api/platform/errors.ts'
import type { Reservation } from '#shared/platform/byte-budget.ts'
import { StreamPace } from './body-pace.ts'

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
