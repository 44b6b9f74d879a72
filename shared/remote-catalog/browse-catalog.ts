import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { annotate } from './annotate.ts'
import { viewPage } from './item-view.ts'
import { readRemotePage } from './read-remote.ts'
import type { PageRequest } from './remote-request.ts'

/**
 * Reads a page of the external catalog, with the products that are linked to its items. It does not store the page.
 * Call it outside a transaction. Throws `remote.not_configured`, `remote.rate_limited` and `remote.unavailable`.
 */
export async function browseCatalog(storeId: string, request: PageRequest) {
  const page = await readRemotePage(storeId, request)
  const ids = page.items.map(({ id }) => id)
  const annotations = await annotate(storeId, ids)
  // Equal requests share one reply, so all their callers continue together. A page can have 512 KB, and the responses
  // of 125 callers would block the event loop for 25 ms at a time.
  await takeTurn(storeId)
  return viewPage(page, request, annotations)
}
