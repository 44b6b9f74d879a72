import type { Page, Paged } from '#shared/platform/db/page.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { noteStockChanges } from '../note-stock-changes.ts'
import { StockMovement } from '../stock-movement.ts'
import { ProductVariant } from './variant.ts'

/** Units that came or went, or units that were counted; and why. */
export type StockAdjustment = ({ delta: number } | { stockOnHand: number }) & { note: string | null }

export interface AdjustedStock {
  variant: ProductVariant
  movement: StockMovement
}

/** What one variant's shelf holds at most. */
export const MOST_STOCK = 1_000_000_000

/**
 * Adjusts the units of a variant that are on hand and keeps why. Throws `resource.not_found`, also for a deleted
 * variant, and 422 for less than none or more than a shelf holds.
 */
export async function adjustStock(
  tx: StoreTx,
  variantId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const variant = await findStocked(tx, variantId).forNoKeyUpdate()
  if (!variant) throw CommonErrors.notFound()
  const { stockOnHand, stockAvailable } = variant
  const delta = 'delta' in adjustment ? adjustment.delta : adjustment.stockOnHand - stockOnHand
  const after = stockOnHand + delta
  if (after < 0 || after > MOST_STOCK)
    throw invalid(['delta'], `There are ${stockOnHand} on hand: 0 to ${MOST_STOCK} can be`, delta)

  variant.stockOnHand = after
  await ProductVariant.in(tx).findById(variantId).patch({ stockOnHand: after })
  const movement = await StockMovement.in(tx).insert({
    variantId: variant.id,
    delta,
    reason: 'adjustment',
    reference: null,
    note: adjustment.note,
    createdAt: now(),
  })
  await noteStockChanges(tx, [
    { variantId: variant.id, before: stockAvailable, after: variant.stockAvailable },
  ])
  return { variant, movement }
}

/** One page of a variant's movements of stock, the latest first, and how many there are. Throws `resource.not_found`. */
export async function findMovements(
  tx: StoreTx,
  variantId: string,
  { page, page_size }: Paged,
): Promise<Page<StockMovement>> {
  if (!(await findStocked(tx, variantId))) throw CommonErrors.notFound()
  return StockMovement.in(tx)
    .where('variant_id', variantId)
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
}

const findStocked = (tx: StoreTx, variantId: string) =>
  ProductVariant.in(tx).findById(variantId).whereNull('deleted_at')
