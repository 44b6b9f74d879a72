import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { chargeSubscription } from '#shared/subscriptions/jobs.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transitionSubscription } from '#shared/subscriptions/transition-subscription.ts'

/** Immediately retries the failed charge of a subscription that is past due or suspended. The caller has locked it. */
export async function retryCharge(tx: StoreTx, subscription: Subscription): Promise<Subscription> {
  const pastDue =
    subscription.status === 'suspended'
      ? await transitionSubscription(tx, subscription, 'past_due')
      : subscription
  const due = await pastDue.change(tx, { dueAt: now() })
  await enqueue(tx, chargeSubscription, { subscriptionId: due.id })
  return due
}
