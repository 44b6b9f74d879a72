import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { OrderErrors, ShipmentErrors, StockErrors } from '#shared/orders/errors.ts'
import { findOrder } from '#shared/orders/order.ts'
import { findShipment, findShipments } from '#shared/orders/shipment.ts'
import { ShipmentView, viewShipment } from '#shared/orders/shipment-view.ts'
import { createShipment as create } from '#shared/orders/shipments/create-shipment.ts'
import { deleteShipment as remove } from '#shared/orders/shipments/delete-shipment.ts'
import { updateShipment as update } from '#shared/orders/shipments/update-shipment.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { countReturned } from '#shared/returns/request/returnable-units.ts'
import { OrderParams } from './schemas.ts'
import {
  CreateShipmentRequest,
  readShipmentRequest,
  readTracking,
  ShipmentParams,
  shipmentExample,
  UpdateShipmentRequest,
} from './shipment-schemas.ts'

/** Tracking identifies the buyer, so its audit entries are encrypted and erased with those of the order. */
const OF_THE_ORDER = { resource: 'orders', param: 'order_id' }

export const createShipment = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/shipments',
  access: staff('sales:write'),
  audit: { action: 'postAdminOrdersOrderIdShipments', resource: 'orders' },
  summary: 'Ship units of an order',
  description:
    'Of a processing order. The shipment of the last units makes the order `shipped`. Units that were refunded ' +
    'before they shipped are not shipped. The buyer is mailed unless `notify` is false.',
  params: OrderParams,
  body: CreateShipmentRequest,
  returns: [201, ShipmentView],
  errors: [
    CommonErrors.notFound,
    OrderErrors.invalidTransition,
    OrderErrors.stockShort,
    OrderErrors.historyLimitReached,
    StockErrors.insufficientStock,
    ShipmentErrors.quantityExceeded,
    ShipmentErrors.nothingLeft,
    ShipmentErrors.limitReached,
    RefundErrors.replacedUnitsRefunded,
    RefundErrors.inProgress,
    DisputeErrors.orderDisputed,
    DisputeErrors.voucherPaidBack,
  ],
  example: {
    body: { items: shipmentExample.items, carrier: 'DHL', tracking_number: shipmentExample.tracking_number },
    data: shipmentExample,
  },
  async handle({ tx, params, body, staff }) {
    const shipment = readShipmentRequest(body)
    return viewShipment(await create(tx, params.order_id, shipment, staff.name, { assertMayShip }))
  },
})

export const listShipments = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/shipments',
  access: staff('sales:read'),
  audit: { action: 'getAdminOrdersOrderIdShipments', resource: 'orders' },
  summary: 'List the shipments of an order, oldest first',
  params: OrderParams,
  returns: [200, Type.Array(ShipmentView)],
  errors: [CommonErrors.notFound],
  example: { data: [shipmentExample] },
  async handle({ tx, params }) {
    const { id } = await findOrder(tx, params.order_id)
    return ((await findShipments(tx, [id])).get(id) ?? []).map(viewShipment)
  },
})

export const readShipment = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:read'),
  audit: { action: 'getAdminOrdersOrderIdShipmentsShipmentId', ...OF_THE_ORDER },
  summary: 'Read a shipment',
  params: ShipmentParams,
  returns: [200, ShipmentView],
  errors: [CommonErrors.notFound],
  example: { data: shipmentExample },
  async handle({ tx, params }) {
    return viewShipment(await findShipment(tx, params.order_id, params.shipment_id))
  },
})

export const updateShipment = endpoint({
  method: 'patch',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:write'),
  audit: {
    action: 'patchAdminOrdersOrderIdShipmentsShipmentId',
    ...OF_THE_ORDER,
  },
  summary: 'Change the carrier or tracking of a shipment',
  params: ShipmentParams,
  body: UpdateShipmentRequest,
  returns: [200, ShipmentView],
  errors: [CommonErrors.notFound],
  example: { body: { tracking_number: shipmentExample.tracking_number }, data: shipmentExample },
  async handle({ tx, params: { order_id: orderId, shipment_id: shipmentId }, body }) {
    return viewShipment(await update(tx, { orderId, shipmentId }, readTracking(body)))
  },
})

export const deleteShipment = endpoint({
  method: 'delete',
  path: '/admin/orders/:order_id/shipments/:shipment_id',
  access: staff('sales:write'),
  audit: {
    action: 'deleteAdminOrdersOrderIdShipmentsShipmentId',
    ...OF_THE_ORDER,
  },
  summary: 'Delete a shipment that did not take place',
  description:
    'Only while its order is processing and no return has its units. The units are allocated again.',
  params: ShipmentParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, ShipmentErrors.notDeletable],
  example: { data: null },
  async handle({ tx, params: { order_id: orderId, shipment_id: shipmentId }, staff }) {
    await remove(tx, { orderId, shipmentId }, staff.name, { countReturned })
    return null
  },
})
