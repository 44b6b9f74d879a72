import { type Static, Type } from 'typebox'
import { lowercaseId } from '#api/platform/input/request-fields.ts'
import type { NewShipment } from '#shared/orders/shipments/create-shipment.ts'
import type { Tracking } from '#shared/orders/shipments/update-shipment.ts'
import { Changes, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { WEB_URL } from '#shared/platform/http/web-url.ts'

export const ShipmentParams = Shape({ order_id: Uuid, shipment_id: Uuid })

const Carrier = Type.String({ maxLength: 100, description: '`""` when it is unknown' })
const TrackingUrl = Type.String({ maxLength: 1_000, pattern: `^$|${WEB_URL}` })
const tracking = {
  carrier: Type.Optional(Carrier),
  tracking_number: Type.Optional(Type.String({ maxLength: 100 })),
  tracking_url: Type.Optional(TrackingUrl),
}

const Units = Type.Array(
  Shape({ order_item_id: Uuid, quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
  {
    minItems: 1,
    maxItems: 500,
    description: 'Default: all units that are left',
  },
)

export const CreateShipmentRequest = Shape({
  items: Type.Optional(Units),
  ...tracking,
  notify: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  note: Type.Optional(Line(2_000)),
  override: Type.Optional(
    Type.Boolean({ description: 'It ships although not all of its units are on hand. Default: false' }),
  ),
})

export const UpdateShipmentRequest = Changes(tracking)

/** Reads the tracking that a request sets. */
export const readTracking = ({
  carrier,
  tracking_number,
  tracking_url,
}: Static<typeof UpdateShipmentRequest>): Tracking => ({
  ...(carrier === undefined ? {} : { carrier }),
  ...(tracking_number === undefined ? {} : { trackingNumber: tracking_number }),
  ...(tracking_url === undefined ? {} : { trackingUrl: tracking_url }),
})

/** Reads the request for a shipment. */
export function readShipmentRequest(body: Static<typeof CreateShipmentRequest>): NewShipment {
  const { items, notify, note, override } = body
  const units = items?.map(({ order_item_id, quantity }) => ({
    orderItemId: lowercaseId(order_item_id),
    quantity,
  }))
  return { ...readTracking(body), items: units, notify, note, override }
}

export const shipmentExample = {
  id: '01992f4b-7d20-7c15-8a3f-2e4d6c8b0a19',
  carrier: 'DHL',
  tracking_number: '00340434161094042557',
  tracking_url: 'https://www.dhl.de/en/privatkunden.html?piececode=00340434161094042557',
  is_notified: true,
  items: [{ order_item_id: '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10', quantity: 1 }],
  created_at: '2026-10-12T10:00:00.000Z',
  updated_at: '2026-10-12T10:00:00.000Z',
}
