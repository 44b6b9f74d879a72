import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { productBackInStock, productOutOfStock } from './events.ts'
import { findStockLevels, type StockLevel } from './stock-level.ts'

/** The available units of a variant before and after a change. */
export interface StockChange {
  variantId: string
  before: number
  after: number
}

/**
 * Increments the catalog version if available units have changed, so that storefronts show the change. Emits
 * `product.out_of_stock` or `product.back_in_stock` if available units have reached or left zero.
 */
export async function reportStockChanges(tx: StoreTx, changes: StockChange[]): Promise<void> {
  if (changes.some(({ before, after }) => before !== after)) bumpCatalogVersion(tx)
  const crossed = changes.filter(({ before, after }) => isInStock(before) !== isInStock(after))
  if (crossed.length === 0) return
  const levels = await findStockLevels(
    tx,
    crossed.map((change) => change.variantId),
  )
  const byId = new Map(levels.map((level) => [level.id, level]))
  const views = (some: StockChange[]) =>
    some.flatMap(({ variantId, after }) => {
      const level = byId.get(variantId)
      return level ? [viewStock(level, after)] : []
    })
  await emitAll(tx, productOutOfStock, views(crossed.filter(({ after }) => !isInStock(after))))
  await emitAll(tx, productBackInStock, views(crossed.filter(({ after }) => isInStock(after))))
}

const isInStock = (availableUnits: number): boolean => availableUnits > 0

const viewStock = ({ id, productId, sku }: StockLevel, available: number) => ({
  product_id: productId,
  variant_id: id,
  sku,
  stock_available: available,
})
