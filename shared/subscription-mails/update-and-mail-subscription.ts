import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  type SubscriptionChanges,
  updateSubscription,
} from '#shared/subscriptions/changes/update-subscription.ts'
import { updateSubscriptionByStaff } from '#shared/subscriptions/changes/update-subscription-by-staff.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { mailChange } from './mail-change.ts'

/**
 * Changes a subscription for its customer, or for staff without `customerId`, and queues the mail to the customer.
 * Throws as `updateSubscription` and `updateSubscriptionByStaff`.
 */
export async function updateAndMailSubscription(
  tx: StoreTx,
  id: string,
  changes: SubscriptionChanges,
  options: { customerId?: string; ifMatch?: string | undefined },
): Promise<Subscription> {
  const isOwn = options.customerId !== undefined
  const update = isOwn ? updateSubscription : updateSubscriptionByStaff
  const change = await update(tx, id, changes, options)
  await mailChange(tx, change, isOwn ? 'customer' : 'staff')
  return change.after
}
