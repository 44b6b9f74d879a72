import { OrderStep } from '#shared/orders/order-step.ts'
import { ORDER_WORDS, wordsOfOrder } from '#shared/orders/order-words.ts'
import { Shipment } from '#shared/orders/shipment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { now } from '#shared/platform/time/clock.ts'

/** SQL: an address reduced to country and postcode. The tax depends on these two. */
export const erasedAddress = (column: string): string => `
  jsonb_build_object('firstname', '', 'lastname', '', 'address_1', '', 'city', '',
    'postcode', ${column} -> 'postcode', 'country', ${column} -> 'country')`

// Indexing the search words of more rows would block the event loop.
const BATCH_SIZE = 500

/** Erases the buyer from orders. Numbers, amounts, taxes, countries and postcodes stay. */
export async function anonymizeOrders(
  tx: StoreTx,
  orderIds: readonly string[],
  personId: string,
): Promise<void> {
  for (const batch of slicesOf(orderIds, BATCH_SIZE)) await anonymizeBatch(tx, batch, personId)
}

async function anonymizeBatch(tx: StoreTx, orderIds: string[], personId: string): Promise<void> {
  const { rows } = await tx.knex.raw<{ rows: { id: string; number: string }[] }>(
    `update orders set email = ?, firstname = '', lastname = '', telephone = '', note = null, metadata = '{}',
       shipping_address = ${erasedAddress('shipping_address')},
       billing_address = ${erasedAddress('billing_address')},
       access_token_hashes = '{}',
       updated_at = greatest(?::timestamptz, updated_at + interval '1 millisecond')
     where store_id = ? and id = any(?)
     returning id, number`,
    [erasedEmail(personId), now(), tx.storeId, orderIds],
  )
  const buyer = { email: '', firstname: '', lastname: '' }
  await ORDER_WORDS.replace(
    tx,
    rows.map(({ id, number }) => ({ id, words: wordsOfOrder({ number, ...buyer }) })),
  )
  // Carriers show the recipient of a tracking number.
  await Shipment.in(tx)
    .whereRaw('order_id = any(?)', [orderIds])
    .patch({ trackingNumber: '', trackingUrl: '' })
  await OrderStep.in(tx).whereRaw('order_id = any(?)', [orderIds]).patch({ note: null })
}
