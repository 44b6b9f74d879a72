import { type Static, Type } from 'typebox'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { MOVEMENT_REASONS, type StockMovement } from './stock-movement.ts'

export const StockMovementView = Shape({
  id: Uuid,
  variant_id: Uuid,
  delta: Type.Integer({ description: 'Units added; negative for units removed' }),
  reason: Type.Enum([...MOVEMENT_REASONS]),
  reference: Type.String({ description: 'The order or import that it belongs to' }),
  note: Type.String(),
  created_at: Timestamp,
})

export const StockAvailable = Type.Integer({
  description: 'On hand minus the units that are sold or in a checkout',
})

export const viewMovement = (movement: StockMovement): Static<typeof StockMovementView> => ({
  id: movement.id,
  variant_id: movement.variantId,
  delta: movement.delta,
  reason: movement.reason,
  reference: toText(movement.reference),
  note: toText(movement.note),
  created_at: toTimestamp(movement.createdAt),
})
