import { setTimeout as pause } from 'node:timers/promises'
import { Caller, currentCaller, runForCaller } from '#shared/platform/db/caller.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
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
 * holds no connection. A process reads one page at a time, and stores take turns; slow pages have turns of their own. A
 * page of too many bytes is read again with fewer rows. Each row is in the state of the time when its page is read.
 */
export async function* readInPages<Row extends { id: string }>(
  storeId: string,
  { size, read }: PagedRead<Row>,
): AsyncGenerator<Row[]> {
  const outer = currentCaller()
  let last: string | null = null
  let count = size
  for (;;) {
    const afterId: string | null = last
    const rows: Row[] | undefined = await readPage({ storeId, outer, isSmallest: count === 1 }, (tx) =>
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

// A page costs tens of milliseconds of processor time. Parallel pages would add up, and each step of another request
// would wait for all of them. The open downloads of each store are limited, and each of them waits for one page.
const permits = permitsBySpeed({ maxWaiting: Number.POSITIVE_INFINITY })

/** Most pages take less. */
const QUICK_MS = 1_000

/** Reads a page of a store when it is its turn. */
function inTurn<T>(storeId: string, read: () => Promise<T>): Promise<T> {
  return permits.run(storeId, async () => {
    const begun = performance.now()
    try {
      return await read()
    } finally {
      if (performance.now() - begun > QUICK_MS) permits.noteSlow(storeId)
    }
  })
}

interface PageOptions {
  storeId: string
  outer: Caller | undefined
  /** Whether the page has one row. A single row is read whatever its length. */
  isSmallest: boolean
}

/** Reads one page; undefined if it has too many bytes. */
async function readPage<Row>(
  { storeId, outer, isSmallest }: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<Row[] | undefined> {
  const caller = new Caller(isSmallest ? undefined : PAGE_BYTES)
  caller.storeId = storeId
  const stop = outer?.onLeave(() => caller.leave())
  try {
    return await inTurn(storeId, () => runForCaller(caller, () => inStore(storeId, read)))
  } catch (error) {
    if (!(caller.refusal instanceof CodedError)) throw error
    if (caller.refusal.status !== CommonErrors.rateLimited.kind.status) {
      if (isSmallest) throw caller.refusal
      return undefined
    }
  } finally {
    stop?.()
    caller.end()
  }
  await pause(WAIT_MS)
  return readPage({ storeId, outer, isSmallest }, read)
}
