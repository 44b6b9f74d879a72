import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockSubscriptionsOfOrder } from './charges-of-order.ts'
import { settleOpenCharge } from './settle-open-charge.ts'

/** Applies the outcome of an order to all subscriptions that it charges. */
export async function settleCharges(tx: StoreTx, orderId: string): Promise<void> {
  for (const subscription of await lockSubscriptionsOfOrder(tx, orderId))
    await settleOpenCharge(tx, subscription)
}
