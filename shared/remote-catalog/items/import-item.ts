import type { WholeProduct } from '#shared/catalog/product.ts'
import { createProduct } from '#shared/catalog/products/create-product.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { createRemoteLink } from '#shared/remote-catalog/create-remote-link.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'
import { readItem } from '#shared/remote-catalog/read-remote.ts'
import { parseVat, type RemoteItem } from '#shared/remote-catalog/remote-item.ts'
import { liveLinks } from '#shared/remote-catalog/remote-link.ts'
import type { Store } from '#shared/stores/store.ts'
import { TaxRate } from '#shared/tax/tax-rate.ts'
import { draftProduct } from './draft-product.ts'

/**
 * Reads an item for its import. For a linked item it throws `remote.item_linked` without a call of the external system.
 * Throws the errors of `readItem`. Call it outside a transaction.
 */
export async function readUnlinkedItem(storeId: string, itemId: string): Promise<RemoteItem> {
  await inStore(storeId, (tx) => assertUnlinked(tx, itemId))
  return readItem(storeId, itemId)
}

/**
 * Creates an unpublished product from an item and links it. Throws `remote.item_linked`, `product.sku_taken` and
 * `remote.item_not_importable`.
 */
export async function importItem(tx: StoreTx, store: Store, item: RemoteItem): Promise<WholeProduct> {
  // Lock first: the second of two concurrent imports of an item must find the link of the first.
  await lockName(tx.knex, `remote_item ${tx.storeId} ${item.id}`)
  await assertUnlinked(tx, item.id)
  const taxClassId = await findTaxClass(tx, item.vat_percent)
  const created = await createProduct(tx, store, { ...draftProduct(item, store), taxClassId })
  await createRemoteLink(tx, { itemId: item.id, productId: created.product.id })
  return created
}

async function assertUnlinked(tx: StoreTx, itemId: string): Promise<void> {
  const link = await liveLinks(tx).findOne({ item_id: itemId })
  if (link) throw RemoteErrors.itemLinked({ productId: link.productId })
}

/**
 * Finds the only tax class with a rate of this percentage. Null for none or several; then the store's default applies.
 */
async function findTaxClass(tx: StoreTx, vatPercent: string): Promise<string | null> {
  const ratePpm = parseVat(vatPercent)
  if (ratePpm === null) return null
  const classes = await TaxRate.in(tx).where('rate_ppm', ratePpm).distinct('tax_class_id')
  return classes.length === 1 ? (classes[0]?.taxClassId ?? null) : null
}
