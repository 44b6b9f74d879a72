import { type Static, Type } from 'typebox'
import { hasLiveProductSql } from '#shared/catalog/product.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'

/** Links one item of the external catalog to one product of the store. */
export class RemoteLink extends StoreModel {
  static override tableName = 'remote_links'

  declare itemId: string
  declare productId: string
  declare createdAt: Date
}

/** SQL: whether the product of a link is not deleted. */
export const HAS_LIVE_PRODUCT = hasLiveProductSql('remote_links')

/**
 * Returns a query of links whose product is not deleted. A deleted product keeps its link, because it can be restored.
 */
export const liveLinks = (tx: StoreTx) => RemoteLink.in(tx).whereRaw(HAS_LIVE_PRODUCT)

// A store can link as many items as it has products, so the search and the sorts have indexes. Ids sort by time.
export const REMOTE_LINKS = new List({
  sorts: { created_at: [], item_id: 'item_id' },
  order: '-created_at',
  searches: 'The id of an item in the external system, or of a product',
})

/** Returns a page of the store's links, by default newest first. */
export function listLinks(tx: StoreTx, filter: ListFilter) {
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

/** Finds a link, also of a deleted product. Throws `resource.not_found`. */
export async function findLink(tx: StoreTx, id: string): Promise<RemoteLink> {
  const link = await RemoteLink.in(tx).findById(id)
  if (!link) throw CommonErrors.notFound()
  return link
}

/** Deletes a link and keeps its item and product. Throws `resource.not_found`. */
export async function deleteLink(tx: StoreTx, id: string): Promise<void> {
  if (!(await RemoteLink.in(tx).deleteById(id))) throw CommonErrors.notFound()
}

export const RemoteLinkView = Shape({
  id: Uuid,
  item_id: Type.String({ description: 'Id in the external system' }),
  product_id: Uuid,
  created_at: Timestamp,
})

export const viewLink = ({
  id,
  itemId,
  productId,
  createdAt,
}: RemoteLink): Static<typeof RemoteLinkView> => ({
  id,
  item_id: itemId,
  product_id: productId,
  created_at: toTimestamp(createdAt),
})
