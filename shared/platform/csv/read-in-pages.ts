import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { ClientGone, currentClient, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'

interface PagedRead<Row> {
  /** The number of rows in a page. Pages of long rows have fewer. */
  size: number
  /** Returns up to `size` rows after an id, or the first rows for null. Returns none at the end. */
  read(tx: StoreTx, afterId: string | null, size: number): PromiseLike<Row[]>
}

// Rows and their CSV text are in memory together.
const PAGE_BYTES = 2 * 1024 * 1024
// The pause before the next try while the process holds too many large pages.
const WAIT_MS = 500

/**
 * Reads all rows by id, page after page. Each page has its own short transaction, so that a slow reader of the rows
 * holds no connection. A process reads one page at a time, and stores get the same time; slow pages have a time of
 * their own. A page of too many bytes is read again with fewer rows. Each row is in the state of the time when its page
 * is read. Throws `ClientGone` when the client disconnects: pages for nobody would wait without limit, because clients
 * that disconnect may download again.
 */
export async function* readInPages<Row extends { id: string }>(
  storeId: string,
  { size, read }: PagedRead<Row>,
): AsyncGenerator<Row[]> {
  const downloader = watchDownloader()
  let last: string | null = null
  let count = size
  for (;;) {
    const afterId: string | null = last
    const rows: Row[] | undefined = await readPage({ storeId, downloader, isSmallest: count === 1 }, (tx) =>
      read(tx, afterId, count),
    )
    if (!rows) count = Math.ceil(count / 4)
    else if (rows.length === 0) return
    else {
      last = rows.at(-1)?.id ?? null
      yield rows
      count = Math.min(size, count * 2)
    }
  }
}

/** The client of a download. */
interface Downloader {
  client: WaitingClient | undefined
  /** Whether it has disconnected. The client forgets that at the end of its request. */
  hasLeft(): boolean
}

function watchDownloader(): Downloader {
  const client = currentClient()
  let hasLeft = client?.isGone === true
  client?.onDisconnect(() => {
    hasLeft = true
  })
  return { client, hasLeft: () => hasLeft }
}

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

/** Reads a page when it is the turn of its store. */
async function inTurn<T>({ storeId, downloader }: PageOptions, read: PageRead<T>): Promise<T> {
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

interface PageOptions {
  storeId: string
  downloader: Downloader
  /** Whether the page has one row. A single row is read whatever its length. */
  isSmallest: boolean
}

/** Reads one page; undefined if it has too many bytes. */
async function readPage<Row>(
  options: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<Row[] | undefined> {
  for (;;) {
    const page = await inTurn(options, (maxMs) => readWithin(maxMs, options, read))
    if (page !== 'no room') return page
    await pause(WAIT_MS)
  }
}

/**
 * Reads one page; undefined if it has too many bytes, and `no room` while the process holds too many large pages.
 * Returns null past `maxMs`.
 */
async function readWithin<Row>(
  maxMs: number | undefined,
  { storeId, downloader, isSmallest }: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<{ page: Row[] | undefined | 'no room' } | null> {
  const client = new WaitingClient(isSmallest ? undefined : PAGE_BYTES)
  client.storeId = storeId
  const stop = downloader.client?.onDisconnect(() => client.disconnect())
  let isLate = false
  const end = () => {
    isLate = true
    client.disconnect()
  }
  const late = maxMs === undefined ? undefined : setTimeout(end, maxMs)
  try {
    return { page: await runForClient(client, () => inStore(storeId, read)) }
  } catch (error) {
    if (isLate && error instanceof ClientGone) return null
    if (!(client.refusal instanceof CodedError)) throw error
    if (client.refusal.status === CommonErrors.rateLimitExceeded.kind.status) return { page: 'no room' }
    if (isSmallest) throw client.refusal
    return { page: undefined }
  } finally {
    clearTimeout(late)
    stop?.()
    client.end()
  }
}
