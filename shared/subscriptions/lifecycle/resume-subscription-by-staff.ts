import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { assertNotice } from '#shared/subscriptions/assert-notice.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import type { SubscriptionChange } from '#shared/subscriptions/changes/subscription-change.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { resumeSubscription } from './resume-subscription.ts'

/**
 * Resumes a subscription for staff. Throws `subscription.invalid_transition`, and `subscription.notice_required` if the
 * customer expects no charge and the next one is due before the notice of it ends.
 */
export async function resumeSubscriptionByStaff(
  tx: StoreTx,
  id: string,
  { actor }: Pick<SubscriptionCaller, 'actor'>,
): Promise<SubscriptionChange & { eventId: string }> {
  const { subscription: before } = await lockAndSettleCharge(tx, id)
  const { subscription: after, eventId } = await resumeSubscription(tx, id, { actor })
  if (isUnexpected({ before, after })) await assertNotice(tx, after)
  return { before, after, eventId }
}

/**
 * Whether a charge follows that the customer does not expect: after a cancellation, after a pause that the customer or
 * a dispute began, or after one that has used up the trial. After another pause by staff the customer is charged as
 * agreed.
 */
const isUnexpected = ({ before, after }: SubscriptionChange): boolean =>
  !after.cancelsAtPeriodEnd &&
  (before.cancelsAtPeriodEnd || !before.pausedByStaff || endsTrial(before, after))

const endsTrial = (before: Subscription, after: Subscription): boolean =>
  isTrialCharge(before.terms, before.position) && !isTrialCharge(after.terms, after.position)
