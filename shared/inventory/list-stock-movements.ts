import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { findStockLevel } from './stock-level.ts'
import { StockMovement } from './stock-movement.ts'

// Sort by id: a variant's movements have an index by id, and ids sort by time.
export const STOCK_MOVEMENTS = new List({
  sorts: { created_at: [], delta: 'delta' },
  order: '-created_at',
  searches: 'Part of the reason, the reference or the note',
  text: ['reason', 'reference', 'note'],
})

/**
 * Returns one page of a variant's stock movements, by default the latest first, and their number. Throws
 * `resource.not_found`.
 */
export async function listStockMovements(
  tx: StoreTx,
  variantId: string,
  filter: ListFilter,
): Promise<Page<StockMovement>> {
  if (!(await findStockLevel(tx, variantId))) throw CommonErrors.notFound()
  return STOCK_MOVEMENTS.page(StockMovement.in(tx).where('variant_id', variantId), filter)
}
