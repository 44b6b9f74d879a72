import { setImmediate } from 'node:timers/promises'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { annotate } from './annotate.ts'
import { viewPage } from './item-view.ts'
import { readRemotePage } from './read-remote.ts'
import type { PageRequest } from './remote-request.ts'

// Equal requests share one reply, so all their callers continue together. A page can have 2 MB, and the responses of
// 125 callers would block the event loop for 100 ms at a time. Each caller continues in a turn of its own.
const ownTurn = semaphore({ permits: 1, maxWaiting: Number.POSITIVE_INFINITY })

/**
 * Reads a page of the external catalog, with the products that are linked to its items. It does not store the page.
 * Call it outside a transaction. Throws `remote.not_configured`, `remote.rate_limited` and `remote.unavailable`.
 */
export async function browseCatalog(storeId: string, request: PageRequest) {
  const page = await readRemotePage(storeId, request)
  const ids = page.items.map(({ id }) => id)
  const annotations = await annotate(storeId, ids)
  await ownTurn(() => setImmediate(), storeId)
  return viewPage(page, request, annotations)
}
