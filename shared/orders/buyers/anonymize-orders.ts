import { OrderHistory } from '#shared/orders/order-history.ts'
import { Shipment } from '#shared/orders/shipment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { now } from '#shared/platform/time/clock.ts'

/** SQL: an address reduced to country and postcode. The tax depends on these two. */
export const erasedAddress = (column: string): string => `
  jsonb_build_object('firstname', '', 'lastname', '', 'address_1', '', 'city', '',
    'postcode', ${column} -> 'postcode', 'country', ${column} -> 'country')`

/** Erases the buyer from orders. Amounts, taxes, countries and postcodes stay. */
export async function anonymizeOrders(
  tx: StoreTx,
  orderIds: readonly string[],
  personId: string,
): Promise<void> {
  await tx.knex.raw(
    `update orders set email = ?, firstname = '', lastname = '', telephone = '', note = null, metadata = '{}',
       shipping_address = ${erasedAddress('shipping_address')},
       billing_address = ${erasedAddress('billing_address')},
       access_token_hashes = '{}',
       updated_at = greatest(?::timestamptz, updated_at + interval '1 millisecond')
     where store_id = ? and id = any(?)`,
    [erasedEmail(personId), now(), tx.storeId, [...orderIds]],
  )
  // Carriers show the recipient of a tracking number.
  await Shipment.in(tx)
    .whereIn('order_id', [...orderIds])
    .patch({ trackingNumber: '', trackingUrl: '' })
  await OrderHistory.in(tx)
    .whereIn('order_id', [...orderIds])
    .patch({ note: null })
}
