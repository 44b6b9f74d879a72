import { hasLiveProductSql } from '#shared/catalog/product.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RemoteLink } from './link.ts'

/** Whether the product of a link is not deleted. */
export const LIVE = hasLiveProductSql('remote_links')

/** Links whose product is not deleted: one that is keeps its link, for it may be restored, but shows it nowhere. */
export const liveLinks = (tx: StoreTx) => RemoteLink.in(tx).whereRaw(LIVE)

/** A page of the store's links, newest first. */
export const listLinks = async (tx: StoreTx, query: Paged) =>
  liveLinks(tx)
    .orderBy('id', 'desc')
    .page(query.page - 1, query.page_size)

/** A link, also of a product that is deleted; 404 `resource.not_found`. */
export async function findLink(tx: StoreTx, id: string): Promise<RemoteLink> {
  const link = await RemoteLink.in(tx).findById(id)
  if (!link) throw CommonErrors.notFound()
  return link
}

/** Ends a link; item and product stay as they are. 404 `resource.not_found`. */
export async function deleteLink(tx: StoreTx, id: string): Promise<void> {
  if (!(await RemoteLink.in(tx).deleteById(id))) throw CommonErrors.notFound()
}
