import { setTimeout as pause } from 'node:timers/promises'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import type { Downloader } from './downloader.ts'
import { takePageTurn } from './page-turns.ts'

// Rows and their CSV text are in memory together.
const PAGE_BYTES = 2 * 1024 * 1024
// The pause before the next attempt while the process holds too many large pages.
const RETRY_MS = 500

interface PageOptions {
  storeId: string
  downloader: Downloader
  /** Whether the page has one row. A single row is read whatever its length. */
  isSmallest: boolean
}

/** Reads one page in the turn of its store; `too large` if it has too many bytes. Throws `ClientGone`. */
export async function readPage<Row>(
  options: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<Row[] | 'too large'> {
  const { storeId, downloader } = options
  for (;;) {
    const page = await takePageTurn(storeId, downloader, (maxMs) => readWithin(maxMs, options, read))
    if (page !== 'no room') return page
    await pause(RETRY_MS)
  }
}

/**
 * Reads one page; `too large` if it has too many bytes, and `no room` while the process holds too many large pages.
 * Returns null past `maxMs`.
 */
async function readWithin<Row>(
  maxMs: number | undefined,
  { storeId, downloader, isSmallest }: PageOptions,
  read: (tx: StoreTx) => PromiseLike<Row[]>,
): Promise<{ page: Row[] | 'too large' | 'no room' } | null> {
  const client = new WaitingClient(isSmallest ? undefined : PAGE_BYTES)
  client.storeId = storeId
  client.network = downloader.client?.network ?? ''
  const stop = downloader.client?.onDisconnect(() => client.disconnect())
  let isLate = false
  const end = () => {
    isLate = true
    client.disconnect()
  }
  const timer = maxMs === undefined ? undefined : setTimeout(end, maxMs)
  try {
    return { page: await runForClient(client, () => inStore(storeId, read)) }
  } catch (error) {
    if (isLate && error instanceof ClientGone) return null
    if (!(client.refusal instanceof CodedError)) throw error
    if (client.refusal.status === CommonErrors.rateLimitExceeded.kind.status) return { page: 'no room' }
    if (isSmallest) throw client.refusal
    return { page: 'too large' }
  } finally {
    clearTimeout(timer)
    stop?.()
    client.end()
  }
}
