import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ClientGone, runForClient } from '#shared/platform/db/waiting-client.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'
import type { Downloader } from './downloader.ts'

// A page costs tens of milliseconds of processor time, and each step of another request would wait for all parallel
// pages. The waiting pages need no limit: each store has few open downloads, and each of these waits for one page.
const permits = permitsBySpeed({ maxWaiting: Number.POSITIVE_INFINITY })

/** The longest time of a quick page. A slower page is canceled, and read again with the permit of slow stores. */
const QUICK_MS = 1_000

/**
 * The time until which each store rests: it lets other stores go first, after each page for as long as the page took.
 * Otherwise a store with pages of a second would delay each page of the others, which take a hundredth, by a second.
 */
const restsUntil = new LRUCache<string, number>({ max: 1_000 })

const restMsOf = (storeId: string): number => Math.max(0, (restsUntil.get(storeId) ?? 0) - performance.now())

/** Reads a page within `maxMs`, if that is given. Returns null if the page takes longer. */
type PageRead<T> = (maxMs?: number) => Promise<{ page: T } | null>

/**
 * Reads a page when it is the turn of its store. A process reads one page of a quick store and one of a slow store at a
 * time, and stores get the same time. Throws `ClientGone` when the client disconnects: otherwise pages for clients that
 * have left would pile up, because each client may download again.
 */
export async function takePageTurn<T>(
  storeId: string,
  downloader: Downloader,
  read: PageRead<T>,
): Promise<T> {
  for (;;) {
    if (downloader.hasLeft()) throw new ClientGone()
    const done = await runForClient(downloader.client, () =>
      permits.run(storeId, async ({ isSlow, countWaiting }) => {
        const letsOthersFirst = restMsOf(storeId) > 0 && countWaiting() > 0
        return letsOthersFirst ? null : timePage(storeId, () => read(isSlow ? undefined : QUICK_MS))
      }),
    )
    if (done) return done.page
    await pause(restMsOf(storeId))
  }
}

/** Reads a page of a store. Notes whether the page is slow, and until when the store rests. */
async function timePage<T>(storeId: string, read: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await read()
  } finally {
    const ended = performance.now()
    const tookMs = ended - begun
    if (tookMs >= QUICK_MS) permits.noteSlow(storeId)
    restsUntil.set(storeId, Math.max(ended, restsUntil.get(storeId) ?? 0) + tookMs)
  }
}
