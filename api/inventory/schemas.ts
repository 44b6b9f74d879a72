import { type Static, Type } from 'typebox'
import type { StockAdjustment } from '#shared/inventory/adjust-stock.ts'
import { MAX_STOCK } from '#shared/inventory/stock-level.ts'
import { Clearable, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { invalid } from '#shared/platform/validation.ts'

export const StockParams = Shape({ variant_id: Uuid })

export const Stock = Type.Integer({ minimum: 0, maximum: MAX_STOCK })

export const AdjustStockRequest = Shape(
  {
    delta: Type.Optional(Type.Integer({ minimum: -MAX_STOCK, maximum: MAX_STOCK })),
    stock_on_hand: Type.Optional(Stock),
    note: Type.Optional({ ...Clearable(Line(500)), description: 'The reason' }),
  },
  { description: 'Either `delta`, a difference in units, or `stock_on_hand`, the units that were counted' },
)

/** Reads an adjustment. Throws 422 if it has neither or both of a difference and a count. */
export function toAdjustment(body: Static<typeof AdjustStockRequest>): StockAdjustment {
  const { delta, stock_on_hand: stockOnHand, note = null } = body
  if (delta !== undefined && stockOnHand === undefined) return { delta, note }
  if (stockOnHand !== undefined && delta === undefined) return { stockOnHand, note }
  throw invalid([], 'Send either delta or stock_on_hand')
}
