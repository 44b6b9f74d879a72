import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { reportStockChanges } from './report-stock-changes.ts'
import { countShortOrders } from './shortages.ts'
import { availableUnits, findStockLevel, MAX_STOCK, StockLevel } from './stock-level.ts'
import { StockMovement } from './stock-movement.ts'

/** A difference in units, or the units that were counted; and why. */
export type StockAdjustment = ({ delta: number } | { stockOnHand: number }) & { note: string | null }

export interface AdjustedStock {
  level: StockLevel
  movement: StockMovement
  /** The number of orders that the units on hand do not cover. */
  ordersShort: number
}

/**
 * Adjusts the units of a variant that are on hand and records a movement. Backorders can leave stock below zero: a
 * delivery is added to it all the same. A count may be below what is reserved: it says how many orders it leaves short.
 * Throws `resource.not_found`, also for a deleted variant, and 422 for a decrease that ends below zero and for a result
 * above `MAX_STOCK`.
 */
export async function adjustStock(
  tx: StoreTx,
  variantId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const level = await findStockLevel(tx, variantId).forNoKeyUpdate()
  if (!level) throw CommonErrors.notFound()
  const { id, stockOnHand } = level
  const before = availableUnits(level)
  const delta = 'delta' in adjustment ? adjustment.delta : adjustment.stockOnHand - stockOnHand
  const after = stockOnHand + delta
  if ((delta < 0 && after < 0) || after > MAX_STOCK)
    throw invalid(['delta'], `There are ${stockOnHand} on hand: 0 to ${MAX_STOCK} can be`, delta)

  level.stockOnHand = after
  await StockLevel.in(tx).findById(id).patch({ stockOnHand: after, stockChangedAt: now() })
  const movement = await StockMovement.in(tx).insert({
    variantId: id,
    delta,
    reason: 'adjustment',
    reference: null,
    note: adjustment.note,
    createdAt: now(),
  })
  await reportStockChanges(tx, [{ variantId: id, before, after: availableUnits(level) }])
  return { level, movement, ordersShort: await countShortOrders(tx, id) }
}
