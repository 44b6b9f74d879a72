import { setTimeout as pause } from 'node:timers/promises'
import { Caller, currentCaller, runForCaller } from '../db/caller.ts'
import { inStore, type StoreTx } from '../db/store-scope.ts'
import { CodedError, CommonErrors } from '../errors.ts'

interface PagedRead<Row> {
  /** The rows of a page; fewer where they are long. */
  size: number
  /** Returns up to `size` rows after an id (null: the first ones), and none at the end. */
  read(tx: StoreTx, afterId: string | null, size: number): PromiseLike<Row[]>
}

// Rows and their CSV text are in memory at once.
const PAGE_BYTES = 2 * 1024 * 1024
// While the process holds as many large pages as it may.
const WAIT_MS = 500

/**
 * All rows in the order of their ids, page after page, each in a short transaction of its own: a slow reader of the
 * rows holds no connection of the pool. A page of too many bytes is read again with fewer rows. Rows that change while
 * they are read are seen as they are when their page is read.
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

interface PageOptions {
  storeId: string
  outer: Caller | undefined
  /** One row is read whatever its length. */
  isSmallest: boolean
}

/** Reads one page; undefined when it has too many bytes. */
async function readPage<Row>(
  { storeId, outer, isSmallest }: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<Row[] | undefined> {
  const caller = new Caller(isSmallest ? undefined : PAGE_BYTES)
  caller.storeId = storeId
  const stop = outer?.onLeave(() => caller.leave())
  try {
    return await runForCaller(caller, () => inStore(storeId, read))
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
