import { createProduct } from '../catalog/create-product.ts'
import type { WholeProduct } from '../catalog/view.ts'
import { inStore, type StoreTx } from '../platform/store-scope.ts'
import type { Store } from '../stores/store.ts'
import { TaxRate } from '../tax/tax-rate.ts'
import { readItem } from './ask-remote.ts'
import { draftProduct } from './draft-product.ts'
import { RemoteErrors } from './errors.ts'
import { liveLinks } from './find-links.ts'
import { linkItem } from './link-item.ts'
import { readVat } from './vat.ts'

/**
 * Makes a product of an item, unpublished and linked to it. The item is read now; `record` runs in the transaction of
 * the product. Throws `remote.item_linked` for one that is a product already, `product.sku_taken`, and what reading and
 * drafting throw. Call it outside a transaction.
 */
export async function importItem(
  store: Store,
  itemId: string,
  record: (tx: StoreTx, made: WholeProduct) => Promise<void>,
): Promise<WholeProduct> {
  await inStore(store.id, (tx) => assertUnlinked(tx, itemId))
  const item = await readItem(store.id, itemId)
  return inStore(store.id, async (tx) => {
    // Two imports of one item come one after the other, so that the second one finds the first one's link.
    await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('remote_item ' || ? || ' ' || ?, 0))", [
      tx.storeId,
      itemId,
    ])
    await assertUnlinked(tx, itemId)
    const taxClassId = await findTaxClass(tx, item.vat_percent)
    const made = await createProduct(tx, store, { ...draftProduct(item, store), taxClassId })
    await linkItem(tx, { itemId, productId: made.product.id })
    await record(tx, made)
    return made
  })
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
