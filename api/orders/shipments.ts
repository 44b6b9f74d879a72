import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { OrderErrors, ShipmentErrors } from '#shared/orders/errors.ts'
import { findOrder } from '#shared/orders/order.ts'
import { changeShipment, deleteShipment as remove } from '#shared/orders/shipments/change-shipment.ts'
import { createShipment as create } from '#shared/orders/shipments/create-shipment.ts'
import { findShipment, findShipments, ShipmentView, viewShipment } from '#shared/orders/shipments/shipment.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Line, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { OrderParams } from './schemas.ts'

const ShipmentParams = Shape({ order_id: Uuid, shipment_id: Uuid })

const Carrier = Type.String({ maxLength: 100, description: '`""` when it is unknown' })
const TrackingUrl = Type.String({ maxLength: 1_000, pattern: '^(https?://[^\\s"<>]+)?$' })
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

const example = {
  id: '01992f4b-7d20-7c15-8a3f-2e4d6c8b0a19',
  carrier: 'DHL',
  tracking_number: '00340434161094042557',
  tracking_url: 'https://www.dhl.de/en/privatkunden.html?piececode=00340434161094042557',
  is_notified: true,
  items: [{ order_item_id: '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10', quantity: 1 }],
  created_at: '2026-10-12T10:00:00.000Z',
  updated_at: '2026-10-12T10:00:00.000Z',
}

interface TrackingBody {
  carrier?: string
  tracking_number?: string
  tracking_url?: string
}

const readTracking = ({ carrier, tracking_number, tracking_url }: TrackingBody) => ({
  ...(carrier === undefined ? {} : { carrier }),
  ...(tracking_number === undefined ? {} : { trackingNumber: tracking_number }),
  ...(tracking_url === undefined ? {} : { trackingUrl: tracking_url }),
})

export const createShipment = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/shipments',
  access: staff('sales:write'),
  audit: { action: 'postAdminOrdersOrderIdShipments', resource: 'orders' },
  summary: 'Ship units of an order',
  description:
    'Of a processing order. The shipment of the last units makes the order `shipped`. Units that were refunded before they ' +
    'shipped are not shipped. The buyer is mailed unless `notify` is false.',
  params: OrderParams,
  body: Shape({
    items: Type.Optional(Units),
    ...tracking,
    notify: Type.Optional(Type.Boolean({ description: 'Default: true' })),
    note: Type.Optional(Line(2_000)),
    override: Type.Optional(
      Type.Boolean({ description: 'It ships although not all of its units are on hand. Default: false' }),
    ),
  }),
  returns: [201, ShipmentView],
  errors: [
    CommonErrors.notFound,
    OrderErrors.invalidTransition,
    OrderErrors.stockShort,
    ShipmentErrors.quantityExceeded,
    ShipmentErrors.nothingLeft,
    RefundErrors.inProgress,
    DisputeErrors.open,
  ],
  example: {
    body: { items: example.items, carrier: 'DHL', tracking_number: example.tracking_number },
    data: example,
  },
  async handle({ tx, params, body: { items, notify, note, override, ...rest }, staff }) {
    const units = items?.map(({ order_item_id, quantity }) => ({
      orderItemId: order_item_id.toLowerCase(),
      quantity,
    }))
    const shipment = { ...readTracking(rest), items: units, notify, note, override }
    return viewShipment(await create(tx, params.order_id, shipment, staff.name, { assertMayShip }))
  },
})

export const listShipments = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/shipments',
  access: staff('sales:read'),
  summary: 'List the shipments of an order, oldest first',
  params: OrderParams,
  returns: [200, Type.Array(ShipmentView)],
  errors: [CommonErrors.notFound],
  example: { data: [example] },
  async handle({ tx, params }) {
    const { id } = await findOrder(tx, params.order_id)
    return ((await findShipments(tx, [id])).get(id) ?? []).map(viewShipment)
  },
})

export const readShipment = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:read'),
  summary: 'Read a shipment',
  params: ShipmentParams,
  returns: [200, ShipmentView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return viewShipment(await findShipment(tx, params.order_id, params.shipment_id))
  },
})

export const updateShipment = endpoint({
  method: 'patch',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminOrdersOrderIdShipmentsShipmentId', resource: 'orders/shipments' },
  summary: 'Change the carrier or tracking of a shipment',
  params: ShipmentParams,
  body: Shape(tracking, { minProperties: 1 }),
  returns: [200, ShipmentView],
  errors: [CommonErrors.notFound],
  example: { body: { tracking_number: example.tracking_number }, data: example },
  async handle({ tx, params: { order_id: orderId, shipment_id: shipmentId }, body }) {
    return viewShipment(await changeShipment(tx, { orderId, shipmentId }, readTracking(body)))
  },
})

export const deleteShipment = endpoint({
  method: 'delete',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:write'),
  audit: { action: 'deleteAdminOrdersOrderIdShipmentsShipmentId', resource: 'orders/shipments' },
  summary: 'Delete a shipment that did not take place',
  description: 'While its order is processing. Its units are allocated again.',
  params: ShipmentParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, ShipmentErrors.notDeletable],
  example: { data: null },
  async handle({ tx, params: { order_id: orderId, shipment_id: shipmentId }, staff }) {
    await remove(tx, { orderId, shipmentId }, staff.name)
    return null
  },
})
