import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ReminderKind, reminderKind } from './remind-at.ts'
import { Subscription } from './subscription.ts'

/**
 * Takes the reminder that is due for a subscription, which the caller has locked. Null when another worker has taken
 * it, or when none is due any more. The row's version stays: nothing that a client sees changes.
 */
export async function takeReminder(tx: StoreTx, subscription: Subscription): Promise<ReminderKind | null> {
  const { id, remindAt, nextChargeAt } = subscription
  if (!remindAt || !nextChargeAt || remindAt > now()) return null
  await Subscription.in(tx).findById(id).patch({ remindedFor: nextChargeAt, remindAt: null })
  // The worker was down until the charge: the mail about its order replaces the reminder.
  return nextChargeAt > now() ? reminderKind(subscription) : null
}
