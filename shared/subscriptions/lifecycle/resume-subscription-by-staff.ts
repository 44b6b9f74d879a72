import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertNotice } from '#shared/subscriptions/assert-notice.ts'
import type { SubscriptionCaller, SubscriptionChangeByStaff } from '#shared/subscriptions/caller.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { resumeSubscription } from './resume-subscription.ts'

/**
 * Resumes a subscription for staff. Throws `subscription.invalid_transition`, and `subscription.notice_required` for
 * the withdrawal of a cancellation, if the next charge is due before the notice of it ends: the customer expects no
 * charge.
 */
export async function resumeSubscriptionByStaff(
  tx: StoreTx,
  id: string,
  { actor }: Pick<SubscriptionCaller, 'actor'>,
): Promise<SubscriptionChangeByStaff> {
  const { subscription: before } = await lockAndSettleCharge(tx, id)
  const after = await resumeSubscription(tx, id, { actor })
  if (before.cancelsAtPeriodEnd && !after.cancelsAtPeriodEnd) await assertNotice(tx, after)
  return { before, after }
}
