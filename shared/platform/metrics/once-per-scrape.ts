import { log } from '../log.ts'

/**
 * A read that the gauges of one scrape share: their `collect` functions run at the same time. Null when it failed,
 * since the other figures matter most while the database is away.
 */
export function oncePerScrape<T>(what: string, read: () => Promise<T | null>): () => Promise<T | null> {
  let running: Promise<T | null> | undefined
  return () => {
    running ??= read()
      .catch((error) => {
        log.warn({ err: error }, `${what} unknown`)
        return null
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
