import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  type SubscriptionChanges,
  updateSubscription,
} from '#shared/subscriptions/changes/update-subscription.ts'
import { updateSubscriptionByStaff } from '#shared/subscriptions/changes/update-subscription-by-staff.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { mailChange } from './mail-change.ts'

interface IfMatch {
  ifMatch?: string | undefined
}

/** Changes a subscription for its customer, and queues the mail about it. Throws as `updateSubscription`. */
export async function updateAndMailOwnSubscription(
  tx: StoreTx,
  id: string,
  changes: SubscriptionChanges,
  options: IfMatch & { customerId: string },
): Promise<Subscription> {
  const change = await updateSubscription(tx, id, changes, options)
  await mailChange(tx, change, 'customer')
  return change.after
}

/** Changes a subscription for staff, and queues the mail to its customer. Throws as `updateSubscriptionByStaff`. */
export async function updateAndMailSubscription(
  tx: StoreTx,
  id: string,
  changes: SubscriptionChanges,
  options: IfMatch,
): Promise<Subscription> {
  const change = await updateSubscriptionByStaff(tx, id, changes, options)
  await mailChange(tx, change, 'staff')
  return change.after
}
