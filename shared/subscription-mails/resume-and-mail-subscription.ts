import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { resumeSubscriptionByStaff } from '#shared/subscriptions/lifecycle/resume-subscription-by-staff.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { mailStaffChange } from './mail-staff-change.ts'

/**
 * Resumes a subscription for staff, and queues the mail to its customer. The end of a pause has a mail of its own; this
 * one replaces it if the store has switched that off. Throws as `resumeSubscriptionByStaff`.
 */
export async function resumeAndMailSubscription(
  tx: StoreTx,
  id: string,
  caller: Pick<SubscriptionCaller, 'actor'>,
): Promise<Subscription> {
  const change = await resumeSubscriptionByStaff(tx, id, caller)
  const { subscriptionMails } = await readStore(tx)
  const hasOwnMail = change.before.status === 'paused' && subscriptionMails.resumed !== false
  if (!hasOwnMail) await mailStaffChange(tx, change)
  return change.after
}
