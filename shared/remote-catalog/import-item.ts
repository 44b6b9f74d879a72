import { createProduct } from '#shared/catalog/create-product.ts'
import type { WholeProduct } from '#shared/catalog/product.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { TaxRate } from '#shared/tax/tax-rate.ts'
import { readItem } from './ask-remote.ts'
import { draftProduct } from './draft-product.ts'
import { RemoteErrors } from './errors.ts'
import { liveLinks } from './find-links.ts'
import { linkItem } from './link-item.ts'
import type { RemoteItem } from './remote-item.ts'
import { readVat } from './vat.ts'

/**
 * Reads an item that is to be imported. Throws `remote.item_linked` for one that is a product already, before the
 * external system is asked, and what reading throws. Call it outside a transaction.
 */
export async function readUnlinkedItem(storeId: string, itemId: string): Promise<RemoteItem> {
  await inStore(storeId, (tx) => assertUnlinked(tx, itemId))
  return readItem(storeId, itemId)
}

/**
 * Makes a product of an item, unpublished and linked to it. Throws `remote.item_linked` for one that is a product
 * already, `product.sku_taken`, and what drafting throws.
 */
export async function importItem(tx: StoreTx, store: Store, item: RemoteItem): Promise<WholeProduct> {
  // Two imports of one item come one after the other, so that the second one finds the first one's link.
  await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('remote_item ' || ? || ' ' || ?, 0))", [
    tx.storeId,
    item.id,
  ])
  await assertUnlinked(tx, item.id)
  const taxClassId = await findTaxClass(tx, item.vat_percent)
  const made = await createProduct(tx, store, { ...draftProduct(item, store), taxClassId })
  await linkItem(tx, { itemId: item.id, productId: made.product.id })
  return made
}

async function assertUnlinked(tx: StoreTx, itemId: string): Promise<void> {
  const link = await liveLinks(tx).findOne({ item_id: itemId })
  if (link) throw RemoteErrors.itemLinked({ productId: link.productId })
}

/** The one tax class that has a rate of this percent; null where none or several have: the store's default holds. */
async function findTaxClass(tx: StoreTx, vatPercent: string): Promise<string | null> {
  const ratePpm = readVat(vatPercent)
  if (ratePpm === null) return null
  const classes = await TaxRate.in(tx).where('rate_ppm', ratePpm).distinct('tax_class_id')
  return classes.length === 1 ? (classes[0]?.taxClassId ?? null) : null
}
