import { RequestErrors } from '../errors.ts'

// A body must arrive at this pace after a start, so that slow senders hold neither memory nor connections.
const START_MS = 10_000
const BYTES_PER_MS = 16

/** The error of a body that arrives too slowly. The connection closes: the rest of the body would keep it busy. */
const tooSlow = () => RequestErrors.malformed({ why: 'its body arrives too slowly', closes: true })

/** Reads a body of at most so many bytes. Throws `request.malformed` when it arrives too slowly. */
export async function readAtPace<T>(bytes: number, read: () => Promise<T>): Promise<T> {
  return withinMs(START_MS + bytes / BYTES_PER_MS, read())
}

/** Waits for the next bytes of a stream of any length. */
export class StreamPace {
  #arrived = 0
  #waitedMs = 0

  /** The next bytes. Only the time that the sender takes counts. Throws `request.malformed` when it takes too long. */
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
