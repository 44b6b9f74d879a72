import { hasLiveProductSql } from '#shared/catalog/product.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'

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

/** Finds a link, also of a deleted product. Throws `resource.not_found`. */
export async function findRemoteLink(tx: StoreTx, id: string): Promise<RemoteLink> {
  return assertFound(await RemoteLink.in(tx).findById(id))
}
