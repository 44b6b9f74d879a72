import { Product } from '#shared/catalog/product.ts'
import { Category } from '#shared/catalog/taxonomy/category.ts'
import { Manufacturer } from '#shared/catalog/taxonomy/manufacturer.ts'
import { StockStatus } from '#shared/catalog/taxonomy/stock-status.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'

interface References {
  manufacturerId?: string | null
  taxClassId?: string | null
  stockStatusId?: string | null
  categoryIds?: string[]
}

/**
 * Throws 422 for a manufacturer, tax class, stock status or category that this store does not have. Locks the found
 * rows against deletion.
 */
export async function checkReferences(
  tx: StoreTx,
  { manufacturerId, taxClassId, stockStatusId, categoryIds = [] }: References,
): Promise<void> {
  if (manufacturerId && !(await Manufacturer.in(tx).findById(manufacturerId).forKeyShare().select('id')))
    throw invalid(
      ['manufacturer_id'],
      'This store does not have this manufacturer. Use the id of an existing one',
      manufacturerId,
    )
  await assertTaxClass(tx, taxClassId)
  if (stockStatusId && !(await StockStatus.in(tx).findById(stockStatusId).forKeyShare().select('id')))
    throw invalid(
      ['stock_status_id'],
      'This store does not have this stock status. Use the id of an existing one',
      stockStatusId,
    )
  if (categoryIds.length === 0) return
  const found = await Category.in(tx).findByIds(categoryIds).forKeyShare().select('id')
  assertKnown(categoryIds, found, 'category_ids', 'This store has no such category')
}

/** Throws 422 at `product_ids` for products that this store does not have; deleted ones are unknown. */
export async function assertProducts(tx: StoreTx, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return
  const found = await Product.in(tx)
    .findByIds([...productIds])
    .whereNull('deleted_at')
    .select('id')
  assertKnown(productIds, found, 'product_ids', 'This store has no such product')
}

function assertKnown(
  ids: readonly string[],
  found: readonly { id: string }[],
  field: string,
  message: string,
): void {
  const known = new Set(found.map(({ id }) => id))
  const faults = ids.flatMap((id, i) =>
    known.has(id.toLowerCase()) ? [] : invalid([field, i], message, id).faults,
  )
  if (faults.length) throw new ValidationError(faults)
}
