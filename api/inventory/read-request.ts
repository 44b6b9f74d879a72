import type { Static } from 'typebox'
import type { StockAdjustment } from '#shared/inventory/adjust-stock.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { AdjustStockRequest } from './schemas.ts'

/** Reads an adjustment. Throws 422 if it has neither or both of a difference and a count. */
export function toAdjustment(body: Static<typeof AdjustStockRequest>): StockAdjustment {
  const { delta, stock_on_hand: stockOnHand, note = null } = body
  if (delta !== undefined && stockOnHand === undefined) return { delta, note }
  if (stockOnHand !== undefined && delta === undefined) return { stockOnHand, note }
  throw invalid([], 'Send either delta or stock_on_hand')
}
