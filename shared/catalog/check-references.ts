import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'
import { Category } from './taxonomy/category.ts'
import { Manufacturer } from './taxonomy/manufacturer.ts'
import { StockStatus } from './taxonomy/stock-status.ts'

interface References {
  manufacturerId?: string | null
  taxClassId?: string | null
  stockStatusId?: string | null
  categoryIds?: string[]
}

/**
 * Throws 422 for a manufacturer, tax class, stock status or category that this store does not have. Locks the found rows
 * against deletion.
 */
export async function checkReferences(
  tx: StoreTx,
  { manufacturerId, taxClassId, stockStatusId, categoryIds = [] }: References,
): Promise<void> {
  if (manufacturerId && !(await Manufacturer.in(tx).findById(manufacturerId).forKeyShare().select('id')))
    throw invalid(['manufacturer_id'], 'This store has no such manufacturer', manufacturerId)
  await assertTaxClass(tx, taxClassId)
  if (stockStatusId && !(await StockStatus.in(tx).findById(stockStatusId).forKeyShare().select('id')))
    throw invalid(['stock_status_id'], 'This store has no such stock status', stockStatusId)
  if (categoryIds.length === 0) return
  const found = await Category.in(tx).findByIds(categoryIds).forKeyShare().select('id')
  const known = new Set(found.map(({ id }) => id))
  const faults = categoryIds.flatMap((id, i) =>
    known.has(id.toLowerCase())
      ? []
      : invalid(['category_ids', i], 'This store has no such category', id).faults,
  )
  if (faults.length) throw new ValidationError(faults)
}
