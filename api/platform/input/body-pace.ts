import { RequestErrors } from '#api/platform/errors.ts'

// After a start, a body must arrive at this pace, so that slow senders hold no memory and no connections.
const START_MS = 10_000
const BYTES_PER_MS = 16

/**
 * Returns the error of a body that arrives too slowly. The connection closes, because the rest of the body would keep
 * it busy.
 */
const tooSlow = () => RequestErrors.malformed({ why: 'its body arrives too slowly', closes: true })

/** Reads a body of at most `bytes` bytes. Throws `request.malformed` if it arrives too slowly. */
export async function readAtPace<T>(bytes: number, read: () => Promise<T>): Promise<T> {
  return withinMs(START_MS + bytes / BYTES_PER_MS, read())
}

/** Waits for the next bytes of a stream of any length. */
export class StreamPace {
  #arrived = 0
  #waitedMs = 0

  /** Returns the next bytes. Only the time of the sender counts. Throws `request.malformed` if it is too long. */
  async next(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
    const begun = performance.now()
    const left = START_MS + this.#arrived / BYTES_PER_MS - this.#waitedMs
    const next = await withinMs(left, chunks.next())
    this.#waitedMs += performance.now() - begun
    this.#arrived += next.done ? 0 : next.value.length
    return next
  }
}

async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow()), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
