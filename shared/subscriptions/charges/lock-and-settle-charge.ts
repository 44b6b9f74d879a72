import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockSubscription } from '#shared/subscriptions/subscription.ts'
import { type SettledSubscription, settleOpenCharge } from './settle-open-charge.ts'

/**
 * Locks a subscription and applies the outcome of its open charge. Returns it with the charge that is still open. With
 * `customerId`, throws `resource.not_found` for another customer's subscription.
 */
export async function lockAndSettleCharge(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<SettledSubscription> {
  return settleOpenCharge(tx, await lockSubscription(tx, id, { customerId }))
}
