import { Product } from '#shared/catalog/product.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RemoteErrors } from './errors.ts'
import { RemoteLink } from './remote-link.ts'

interface Pair {
  itemId: string
  productId: string
}

/**
 * Links an item to a product without checking that the external system has the item. Replaces the item's link to a
 * deleted product. Throws `resource.not_found` for an unknown or deleted product, `remote.item_linked` and
 * `remote.product_linked`.
 */
export async function createRemoteLink(tx: StoreTx, { itemId, productId }: Pair): Promise<RemoteLink> {
  const product = assertFound(await Product.in(tx).findById(productId).whereNull('deleted_at').forKeyShare())
  await RemoteLink.in(tx)
    .where('item_id', itemId)
    .whereIn('product_id', Product.in(tx).whereNotNull('deleted_at').select('id'))
    .delete()
  const id = newId()
  await RemoteLink.in(tx)
    .insert({ id, itemId, productId: product.id, createdAt: now() })
    .onConflict()
    .ignore()
  const link = await RemoteLink.in(tx).findById(id)
  if (link) return link
  throw await conflictError(tx, { itemId, productId: product.id })
}

async function conflictError(tx: StoreTx, { itemId, productId }: Pair) {
  const ofItem = await RemoteLink.in(tx).findOne({ item_id: itemId })
  if (ofItem) return RemoteErrors.itemLinked({ productId: ofItem.productId })
  const ofProduct = await RemoteLink.in(tx).findOne({ product_id: productId })
  return RemoteErrors.productLinked({ itemId: ofProduct?.itemId })
}
