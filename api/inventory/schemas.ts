import { Type } from 'typebox'
import { MAX_STOCK } from '#shared/inventory/stock-level.ts'
import { Clearable, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'

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
