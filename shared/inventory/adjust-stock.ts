import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { reportStockChanges } from './report-stock-changes.ts'
import { countShortOrders } from './shortages.ts'
import { availableUnits, findStockLevel, MAX_STOCK, StockLevel } from './stock-level.ts'
import { StockMovement } from './stock-movement.ts'

/** A difference in units or the counted units, with the reason. */
export type StockAdjustment = ({ delta: number } | { stockOnHand: number }) & { note: string | null }

export interface AdjustedStock {
  level: StockLevel
  movement: StockMovement
  /** The number of orders for which the units on hand are too few. */
  ordersShort: number
}

/**
 * Adjusts the units of a variant on hand and records a movement. Backorders can leave the stock below zero. A count can
 * be below the reserved units: `ordersShort` is the number of orders that then lack units. Throws
 * `resource.not_found`, also for a deleted variant. Throws 422 for a decrease below zero, and for a result above
 * `MAX_STOCK`.
 */
export async function adjustStock(
  tx: StoreTx,
  variantId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const counted = assertFound(await findStockLevel(tx, variantId).forNoKeyUpdate())
  const { id, stockOnHand } = counted
  const delta = 'delta' in adjustment ? adjustment.delta : adjustment.stockOnHand - stockOnHand
  const after = stockOnHand + delta
  if ((delta < 0 && after < 0) || after > MAX_STOCK)
    throw invalid(
      ['delta'],
      `The units on hand must stay between 0 and ${MAX_STOCK}. There are ${stockOnHand} now`,
      delta,
    )

  await StockLevel.in(tx).findById(id).patch({ stockOnHand: after, stockChangedAt: now() })
  const movement = await StockMovement.in(tx).insert({
    variantId: id,
    delta,
    reason: 'adjustment',
    reference: null,
    note: adjustment.note,
    createdAt: now(),
  })
  const level = counted.with({ stockOnHand: after })
  await reportStockChanges(tx, [
    { variantId: id, before: availableUnits(counted), after: availableUnits(level) },
  ])
  return { level, movement, ordersShort: await countShortOrders(tx, id) }
}
