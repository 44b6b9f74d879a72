import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transitionSubscription } from '#shared/subscriptions/transition-subscription.ts'
import { nextRetryAt } from './next-retry-at.ts'

/** Records a failed attempt of a charge, and schedules the next one. After the last, the subscription is suspended. */
export async function recordFailedAttempt(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  reason: string,
): Promise<void> {
  const attempts = charge.attempts + 1
  const firstFailedAt = charge.firstFailedAt ?? now()
  const nextAttemptAt = nextRetryAt(firstFailedAt, attempts)
  await charge.change(tx, { attempts, firstFailedAt, failureReason: reason, nextAttemptAt, paymentId: null })
  if (subscription.status === 'active') await transitionSubscription(tx, subscription, 'past_due')
  // A declined first order can be paid until it expires.
  if (subscription.status !== 'past_due') return
  await subscription.change(tx, { dueAt: nextAttemptAt })
  await emitSubscriptionEvent(tx, SubscriptionEvents.paymentFailed, subscription)
  if (nextAttemptAt) return
  await transitionSubscription(tx, subscription, 'suspended')
  await emitSubscriptionEvent(tx, SubscriptionEvents.suspended, subscription)
}
