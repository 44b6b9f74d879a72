import { setStock } from '#shared/inventory/set-stock.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ProductErrors } from '../errors.ts'
import type { ProductVariant } from './variant.ts'

/** Inserts variants with their first stock. Throws `product.sku_taken`, naming the SKUs. */
export async function insertVariants(tx: StoreTx, variants: ProductVariant[]): Promise<void> {
  const rows = variants.map((variant) => ({ ...variant.$toDatabaseJson(), store_id: tx.storeId }))
  const inserted = await tx.knex('product_variants').insert(rows).onConflict().ignore().returning('sku')
  const free = new Set(inserted.map(({ sku }) => sku))
  const taken = variants.map(({ sku }) => sku).filter((sku) => !free.has(sku))
  if (taken.length) throw ProductErrors.skuTaken({ skus: taken.slice(0, 10).join(', ') })
  const stocked = variants.filter(({ stockOnHand }) => stockOnHand !== 0)
  await setStock(
    tx,
    stocked.map(({ id, stockOnHand }) => ({ variantId: id, stockOnHand })),
    { reason: 'initial' },
  )
}
