import { CommonErrors } from '../errors.ts'

/**
 * Bounds how many pieces of heavy work one process runs at a time, and how many wait. Past both it throws 429
 * `rate_limit.exceeded` at once. Bottleneck would enforce the bound of its queue late, after it has received all jobs of
 * a burst, and costs a timer for each job.
 */
export function semaphore({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function withPermit<T>(work: () => Promise<T>): Promise<T> {
    if (running < permits) running += 1
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw CommonErrors.rateLimited({ retryAfter: 1 })
    try {
      return await work()
    } finally {
      // The permit passes to the first that waits, so that no later caller takes it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
