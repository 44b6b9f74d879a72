import { log } from '#shared/platform/log.ts'

/**
 * Returns a read that the gauges of one scrape share, because their `collect` functions run at the same time. The read
 * returns null if it failed, so that the other figures are shown while the database is down.
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
