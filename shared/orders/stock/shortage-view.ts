import { type Static, Type } from 'typebox'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import type { OrderShortage } from './order-shortage.ts'

/** A line of an order whose units are not all on hand. */
export const OrderShortageView = Shape({
  order_item_id: Uuid,
  variant_id: Uuid,
  sku: Type.String(),
  name: Type.String(),
  quantity: Type.Integer({ description: 'The units to ship' }),
  short: Type.Integer({ description: 'How many of them are missing' }),
})

export const viewOrderShortage = (line: OrderShortage): Static<typeof OrderShortageView> => ({
  order_item_id: line.orderItemId,
  variant_id: line.variantId,
  sku: line.sku,
  name: line.name,
  quantity: line.quantity,
  short: line.short,
})
