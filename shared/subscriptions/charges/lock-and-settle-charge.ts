import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
import { lockSubscription, type Subscription } from '#shared/subscriptions/subscription.ts'
import { settleOpenCharge } from './settle-open-charge.ts'

/**
 * Locks a subscription and applies the outcome of its open charge. Returns it with the charge that is still open. With
 * `customerId`, throws `resource.not_found` for another customer's subscription.
 */
export async function lockAndSettleCharge(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<{ subscription: Subscription; charge: Charge | null }> {
  const subscription = await lockSubscription(tx, id, { customerId })
  return { subscription, charge: await settleOpenCharge(tx, subscription) }
}
