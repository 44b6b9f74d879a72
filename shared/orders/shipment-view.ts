import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { ShipmentWithUnits } from './shipment.ts'

export const ShipmentView = Shape({
  id: Uuid,
  carrier: Type.String(),
  tracking_number: Type.String(),
  tracking_url: Type.String(),
  is_notified: Type.Boolean({ description: 'Whether the buyer is mailed about it' }),
  items: Type.Array(Shape({ order_item_id: Uuid, quantity: Type.Integer() })),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ShipmentView = Static<typeof ShipmentView>

/** Returns a shipment as responses and order events show it. */
export const viewShipment = ({ shipment, units }: ShipmentWithUnits): ShipmentView => ({
  id: shipment.id,
  carrier: shipment.carrier,
  tracking_number: shipment.trackingNumber,
  tracking_url: shipment.trackingUrl,
  is_notified: shipment.isNotified,
  items: units.map(({ orderItemId, quantity }) => ({ order_item_id: orderItemId, quantity })),
  created_at: toTimestamp(shipment.createdAt),
  updated_at: toTimestamp(shipment.updatedAt),
})
