import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import { productBackInStock, productOutOfStock } from './events.ts'
import { ProductVariant } from './variants/variant.ts'

/** Units of a variant that could be promised before and after a change. */
export interface StockChange {
  variantId: string
  before: number
  after: number
}

/** What follows when units that can be promised changed: storefronts show it, and the last or first unit is told. */
export async function noteStockChanges(tx: StoreTx, changes: StockChange[]): Promise<void> {
  if (changes.some(({ before, after }) => before !== after)) bumpCatalogVersion(tx)
  const crossed = changes.filter(({ before, after }) => before > 0 !== after > 0)
  if (crossed.length === 0) return
  const variants = await ProductVariant.in(tx).whereIn(
    'id',
    crossed.map((change) => change.variantId),
  )
  const byId = new Map(variants.map((variant) => [variant.id, variant]))
  const views = (some: StockChange[]) =>
    some.flatMap(({ variantId, after }) => {
      const variant = byId.get(variantId)
      return variant ? [viewStock(variant, after)] : []
    })
  await emitAll(tx, productOutOfStock, views(crossed.filter(({ after }) => after <= 0)))
  await emitAll(tx, productBackInStock, views(crossed.filter(({ after }) => after > 0)))
}

const viewStock = ({ id, productId, sku }: ProductVariant, available: number) => ({
  product_id: productId,
  variant_id: id,
  sku,
  stock_available: available,
})
