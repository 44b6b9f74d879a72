import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ReminderKind, reminderKind } from './remind-at.ts'
import { Subscription } from './subscription.ts'

/**
 * Marks a subscription's due reminder as sent and returns its kind. The caller has locked the subscription. Null when
 * another worker has taken the reminder, or when none is due any more. The row's version stays, because clients do not
 * see the change.
 */
export async function takeReminder(tx: StoreTx, subscription: Subscription): Promise<ReminderKind | null> {
  const { id, remindAt, nextChargeAt } = subscription
  if (!remindAt || !nextChargeAt || remindAt > now()) return null
  await Subscription.in(tx).findById(id).patch({ remindedFor: nextChargeAt, remindAt: null })
  // If the worker was down until the charge, the mail about its order replaces the reminder.
  return nextChargeAt > now() ? reminderKind(subscription) : null
}
