import { isUuid } from '#shared/platform/db/id.ts'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { liveLinks } from './remote-link.ts'

// A store can link as many items as it has products, so the search and the sorts have indexes. Ids sort by time.
export const REMOTE_LINKS = new List({
  sorts: { created_at: [], item_id: 'item_id' },
  order: '-created_at',
  searches: 'The id of an item in the external system, or of a product',
})

/** Returns a page of the store's links, by default newest first. */
export function listRemoteLinks(tx: StoreTx, filter: ListFilter) {
  const { q } = filter
  const links = liveLinks(tx)
  if (q !== undefined) {
    const words = q.trim()
    links.where((either) => {
      either.where('item_id', words)
      if (isUuid(words)) either.orWhere('product_id', words)
    })
  }
  return REMOTE_LINKS.page(links, filter)
}
