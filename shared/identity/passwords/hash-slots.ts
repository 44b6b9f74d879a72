import { CommonErrors } from '#shared/platform/errors.ts'

/**
 * Bounds how many pieces of heavy work one process does at a time, and how many may wait for their turn; past that
 * it refuses with 429 `rate_limit.exceeded`, because a longer queue would help nobody.
 */
export function slots({ running: mostRunning, waiting: mostWaiting }: { running: number; waiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running < mostRunning) running += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw CommonErrors.rateLimited({ retryAfter: 1 })
    try {
      return await work()
    } finally {
      // A finished piece hands its place on, so nobody who comes in between can take it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
