import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionChanges } from '#shared/subscriptions/changes/update-subscription.ts'
import { updateSubscriptionByStaff } from '#shared/subscriptions/changes/update-subscription-by-staff.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { mailStaffChange } from './mail-staff-change.ts'

/** Changes a subscription for staff, and queues the mail to its customer. Throws as `updateSubscriptionByStaff`. */
export async function updateAndMailSubscription(
  tx: StoreTx,
  id: string,
  changes: SubscriptionChanges,
  options: { ifMatch?: string | undefined },
): Promise<Subscription> {
  const change = await updateSubscriptionByStaff(tx, id, changes, options)
  await mailStaffChange(tx, change)
  return change.after
}
