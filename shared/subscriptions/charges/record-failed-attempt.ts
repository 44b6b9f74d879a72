import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Charge, FailureKind } from '#shared/subscriptions/charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transitionSubscription } from '#shared/subscriptions/transition-subscription.ts'
import { nextRetryAt } from './next-retry-at.ts'

/**
 * Records a failed attempt of a charge, and schedules the next one. After the last, the subscription is suspended.
 * Returns both as they are now.
 */
export async function recordFailedAttempt(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  { kind: failureKind, reason: failureReason }: { kind: FailureKind; reason: string },
): Promise<{ subscription: Subscription; charge: Charge }> {
  const attempts = charge.attempts + 1
  const firstFailedAt = charge.firstFailedAt ?? now()
  const nextAttemptAt = nextRetryAt(firstFailedAt, attempts)
  const failedAttempt = {
    attempts,
    firstFailedAt,
    failureKind,
    failureReason,
    nextAttemptAt,
    paymentId: null,
  }
  const failed = await charge.change(tx, failedAttempt)
  return { subscription: await awaitNextAttempt(tx, subscription, nextAttemptAt), charge: failed }
}

async function awaitNextAttempt(
  tx: StoreTx,
  subscription: Subscription,
  nextAttemptAt: Date | null,
): Promise<Subscription> {
  // A declined first order can be paid until it expires.
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return subscription
  const pastDue =
    subscription.status === 'active'
      ? await transitionSubscription(tx, subscription, 'past_due')
      : subscription
  const waiting = await pastDue.change(tx, { dueAt: nextAttemptAt })
  await emitSubscriptionEvent(tx, SubscriptionEvents.paymentFailed, waiting)
  if (nextAttemptAt) return waiting
  const suspended = await transitionSubscription(tx, waiting, 'suspended')
  await emitSubscriptionEvent(tx, SubscriptionEvents.suspended, suspended)
  return suspended
}
