import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ClientGone, runForClient } from '#shared/platform/db/waiting-client.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'
import type { Downloader } from './downloader.ts'

// A page costs tens of milliseconds of processor time. Parallel pages would add up, and each step of another request
// would wait for all of them. The open downloads of each store are limited, and each of them waits for one page.
const permits = permitsBySpeed({ maxWaiting: Number.POSITIVE_INFINITY })

/** Most pages take less. A slower one is canceled, and read again among those of slow stores. */
const QUICK_MS = 1_000

/**
 * The times until which stores leave their turn to others: after each page as long as the page took. With turns alone,
 * a store whose pages take a second would delay each page of the others, which take a hundredth, by one of its own.
 */
const resting = new LRUCache<string, number>({ max: 1_000 })

const restOf = (storeId: string): number => Math.max(0, (resting.get(storeId) ?? 0) - performance.now())

/** Reads a page within a time, if one is given. Returns null if that is too short. */
type PageRead<T> = (maxMs?: number) => Promise<{ page: T } | null>

/**
 * Reads a page when it is the turn of its store. A process reads one page at a time, and stores get the same time; slow
 * pages have a time of their own. Throws `ClientGone` when the client disconnects: pages for nobody would wait without
 * limit, because clients that disconnect may download again.
 */
export async function takePageTurn<T>(
  storeId: string,
  downloader: Downloader,
  read: PageRead<T>,
): Promise<T> {
  for (;;) {
    if (downloader.hasLeft()) throw new ClientGone()
    const done = await runForClient(downloader.client, () =>
      permits.run(storeId, async ({ isSlow, countWaiting }) =>
        restOf(storeId) > 0 && countWaiting() > 0
          ? null
          : timed(storeId, () => read(isSlow ? undefined : QUICK_MS)),
      ),
    )
    if (done) return done.page
    await pause(restOf(storeId))
  }
}

/** Reads a page of a store. Notes whether the page is slow, and how long the store leaves its turn to others. */
async function timed<T>(storeId: string, read: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await read()
  } finally {
    const ended = performance.now()
    const tookMs = ended - begun
    if (tookMs >= QUICK_MS) permits.noteSlow(storeId)
    resting.set(storeId, Math.max(ended, resting.get(storeId) ?? 0) + tookMs)
  }
}
