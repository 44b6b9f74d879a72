import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { resumeSubscriptionByStaff } from '#shared/subscriptions/lifecycle/resume-subscription-by-staff.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { claimEventMail } from './claim-event-mail.ts'
import { mailChange } from './mail-change.ts'

/**
 * Resumes a subscription for staff, and queues the mail to its customer. It replaces the mail about the end of a pause,
 * which a store can switch off. Throws as `resumeSubscriptionByStaff`.
 */
export async function resumeAndMailSubscription(
  tx: StoreTx,
  id: string,
  caller: Pick<SubscriptionCaller, 'actor'>,
): Promise<Subscription> {
  const { eventId, ...change } = await resumeSubscriptionByStaff(tx, id, caller)
  await mailChange(tx, change, 'staff')
  await claimEventMail(tx, { eventId, subscriptionId: id, kind: 'resumed' })
  return change.after
}
