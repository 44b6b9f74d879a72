import { OrderStep } from '#shared/orders/order-step.ts'
import { Shipment } from '#shared/orders/shipment.ts'
import { EMPTY, type HistoryEntry, type Source } from './history-entry.ts'

/** Lists the shipments of an order with their tracking. The notes about a deleted shipment are entries of their own. */
export const listShipmentEntries: Source = async (tx, orderId) => {
  const shipments = await Shipment.in(tx).where('order_id', orderId).orderBy('id')
  const notes = await OrderStep.in(tx).where('order_id', orderId).whereNotNull('shipment_id').orderBy('id')
  const noteOf = new Map(notes.map(({ shipmentId, note }) => [shipmentId, note]))
  const presentIds = new Set<string | null>(shipments.map(({ id }) => id))
  return [
    ...shipments.map((shipment) => viewShipped(shipment, noteOf.get(shipment.id) ?? null)),
    ...notes.filter(({ shipmentId }) => !presentIds.has(shipmentId)).map(viewNoteOfDeleted),
  ]
}

const viewShipped = (
  { id, carrier, trackingNumber, createdAt, createdBy }: Shipment,
  note: string | null,
): HistoryEntry => ({
  ...EMPTY,
  kind: 'shipment',
  at: createdAt,
  actor: createdBy,
  id,
  text: [[carrier, trackingNumber].filter(Boolean).join(' '), note].filter(Boolean).join('. '),
})

const viewNoteOfDeleted = ({ shipmentId, createdAt, actor, note }: OrderStep): HistoryEntry => ({
  ...EMPTY,
  kind: 'shipment',
  at: createdAt,
  actor,
  id: shipmentId,
  text: note,
})
