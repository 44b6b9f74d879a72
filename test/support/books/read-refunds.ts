import { Order } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'

/** The order now. */
export const readOrder = (store: { id: string }, orderId: string): Promise<Order> =>
  inStore(store.id, (tx) => Order.in(tx).findById(orderId).throwIfNotFound())

/** An order's refunds, oldest first. */
export const readRefunds = (store: { id: string }, orderId: string): Promise<Refund[]> =>
  inStore(store.id, (tx) => Refund.in(tx).where('order_id', orderId).orderBy('id'))

export interface EmittedEvent {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the data of any event
  data: any
}

/** An order's events of these types, oldest first. */
export const eventsOf = (
  store: { id: string },
  orderId: string,
  ...types: string[]
): Promise<EmittedEvent[]> =>
  inStore(store.id, (tx) =>
    tx
      .knex('events')
      .whereIn('type', types)
      .whereRaw(`data ->> 'id' = ?`, [orderId])
      .orderBy('position')
      .select('type', 'data'),
  )
