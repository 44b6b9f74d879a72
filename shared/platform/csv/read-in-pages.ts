import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { watchDownloader } from './downloader.ts'
import { readPage } from './read-page.ts'

interface PagedRead<Row> {
  /** The number of rows in a page. Pages of long rows have fewer. */
  size: number
  /** Returns up to `size` rows after an id, or the first rows for null. Returns none at the end. */
  read(tx: StoreTx, afterId: string | null, size: number): PromiseLike<Row[]>
}

/**
 * Reads all rows by id, page after page. Each page has its own short transaction, so that a slow reader of the rows
 * holds no connection, and shows its rows as they are then. A page of too many bytes is read again with fewer rows.
 * Throws `ClientGone` when the client disconnects.
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
    const options = { storeId, downloader, isSmallest: count === 1 }
    const rows: Row[] | 'too large' = await readPage(options, (tx) => read(tx, afterId, count))
    if (rows === 'too large') {
      count = Math.ceil(count / 4)
      continue
    }
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? null
    yield rows
    count = Math.min(size, count * 2)
  }
}
