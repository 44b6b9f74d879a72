import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ProductErrors } from '../errors.ts'
import { StockMovement } from '../stock-movement.ts'
import type { ProductVariant } from './variant.ts'

/** Inserts variants with their first stock. Throws `product.sku_taken`, naming the SKUs. */
export async function insertVariants(tx: StoreTx, variants: ProductVariant[]): Promise<void> {
  const rows = variants.map((variant) => ({ ...variant.$toDatabaseJson(), store_id: tx.storeId }))
  const inserted = await tx.knex('product_variants').insert(rows).onConflict().ignore().returning('sku')
  const free = new Set(inserted.map(({ sku }) => sku))
  const taken = variants.map(({ sku }) => sku).filter((sku) => !free.has(sku))
  if (taken.length) throw ProductErrors.skuTaken({ skus: taken.slice(0, 10).join(', ') })
  await insertMovements(tx, variants)
}

async function insertMovements(tx: StoreTx, variants: ProductVariant[]): Promise<void> {
  const stocked = variants.filter(({ stockOnHand }) => stockOnHand !== 0)
  if (stocked.length === 0) return
  await StockMovement.in(tx).insert(
    stocked.map(({ id, stockOnHand, createdAt }) => ({
      variantId: id,
      delta: stockOnHand,
      reason: 'initial' as const,
      reference: null,
      createdAt,
    })),
  )
}
