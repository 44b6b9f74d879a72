import { erasedAddress } from '#shared/orders/buyers/anonymize-orders.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Subscription } from './subscription.ts'
import { indexManySubscriptions } from './subscription-words.ts'

/** Erases a customer from their subscriptions, which have all ended. Returns the ids of the subscriptions. */
export async function anonymizeSubscriptions(tx: StoreTx, customerId: string): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { id: string }[] }>(
    `update subscriptions set firstname = '', lastname = '', telephone = '', card = null,
       shipping_address = ${erasedAddress('shipping_address')},
       billing_address = ${erasedAddress('billing_address')},
       updated_at = greatest(?::timestamptz, updated_at + interval '1 millisecond')
     where store_id = ? and customer_id = ?
     returning id`,
    [now(), tx.storeId, customerId],
  )
  const ids = rows.map(({ id }) => id)
  await indexManySubscriptions(tx, ids, (some) => Subscription.in(tx).findByIds(some))
  return ids
}
