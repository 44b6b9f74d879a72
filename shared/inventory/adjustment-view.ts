import { type Static, Type } from 'typebox'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import type { AdjustedStock } from './adjust-stock.ts'
import { availableUnits } from './stock-level.ts'
import { StockAvailable, StockMovementView, viewMovement } from './view.ts'

/** The stock of a variant after an adjustment. */
export const StockAdjustmentView = Shape({
  variant_id: Uuid,
  stock_on_hand: Type.Integer(),
  stock_available: StockAvailable,
  orders_short: Type.Integer({
    minimum: 0,
    description:
      'Orders whose units of this variant are not all on hand; `GET /admin/orders?short=true` lists them',
  }),
  movement: StockMovementView,
})

export const viewAdjustment = ({
  level,
  movement,
  ordersShort,
}: AdjustedStock): Static<typeof StockAdjustmentView> => ({
  variant_id: level.id,
  stock_on_hand: level.stockOnHand,
  stock_available: availableUnits(level),
  orders_short: ordersShort,
  movement: viewMovement(movement),
})
