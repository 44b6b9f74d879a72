import { StoreModel } from '#shared/platform/db/model.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import type { OrderActor } from './actor.ts'
import type { LineUnits } from './order-item.ts'

/** Units of an order that were handed to a carrier together. */
export class Shipment extends StoreModel {
  static override tableName = 'shipments'

  declare orderId: string
  declare carrier: string
  declare trackingNumber: string
  declare trackingUrl: string
  /** Whether the buyer is mailed about it. */
  declare isNotified: boolean
  declare createdBy: OrderActor
  declare createdAt: Date
  declare updatedAt: Date
}

const UNITS =
  "json_agg(json_build_object('orderItemId', order_item_id, 'quantity', quantity) order by order_item_id)"

export interface ShipmentWithUnits {
  shipment: Shipment
  units: LineUnits[]
}

/** The most shipments that are read with their units at a time, which takes two queries about 10 ms. */
const SHIPMENTS_AT_ONCE = 2_000

/**
 * Returns the shipments of orders by the order's id, oldest first. PostgreSQL collects the units of each: an order can
 * have 20,000, and as many rows would block the process. A page of orders can have 10,000 shipments, so they are read
 * in pieces.
 */
export async function findShipments(
  tx: StoreTx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, ShipmentWithUnits[]>> {
  const shipments = await readInPieces(Shipment.in(tx).whereIn('order_id', [...orderIds]), ['orderId', 'id'])
  const whole: ShipmentWithUnits[] = []
  for (const some of slicesOf(shipments, SHIPMENTS_AT_ONCE)) whole.push(...(await withUnits(tx, some)))
  return Map.groupBy(whole, ({ shipment }) => shipment.orderId)
}

async function withUnits(tx: StoreTx, shipments: Shipment[]): Promise<ShipmentWithUnits[]> {
  const rows: { shipmentId: string; units: LineUnits[] }[] = await tx
    .knex('shipment_items')
    .where('store_id', tx.storeId)
    .whereRaw('shipment_id = any(?)', [shipments.map(({ id }) => id)])
    .groupBy('shipment_id')
    .select('shipment_id as shipmentId', tx.knex.raw(`${UNITS} as units`))
  const units = new Map(rows.map((row) => [row.shipmentId, row.units]))
  return shipments.map((shipment) => ({ shipment, units: units.get(shipment.id) ?? [] }))
}

/** Returns a shipment of an order. Throws `resource.not_found` if it does not exist or is of another order. */
export async function findShipment(
  tx: StoreTx,
  orderId: string,
  shipmentId: string,
): Promise<ShipmentWithUnits> {
  const shipments = (await findShipments(tx, [orderId])).get(orderId) ?? []
  return assertFound(shipments.find(({ shipment }) => shipment.id === shipmentId))
}
