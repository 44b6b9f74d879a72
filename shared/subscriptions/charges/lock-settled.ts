import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Charge } from '../charge.ts'
import { lockSubscription, type Subscription } from '../subscription.ts'
import { settleOpenCharge } from './settle-open-charge.ts'

/**
 * Locks a subscription of the store, or of the given customer, and applies what became of its open charge. Throws 404
 * for another customer's. Returns the charge that is still open.
 */
export async function lockSettled(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<{ subscription: Subscription; charge: Charge | null }> {
  const subscription = await lockSubscription(tx, id, { customerId })
  return { subscription, charge: await settleOpenCharge(tx, subscription) }
}
