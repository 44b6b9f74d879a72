import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ReminderKind, reminderKind } from './remind-at.ts'
import { Subscription } from './subscription.ts'

/**
 * Claims the due reminder of a subscription and returns its kind; null if none is due, e.g. because another worker has
 * claimed it. The caller has locked the subscription. `updatedAt` does not change, because clients do not see the
 * claim.
 */
export async function claimReminder(tx: StoreTx, subscription: Subscription): Promise<ReminderKind | null> {
  const { id, remindAt, nextChargeAt } = subscription
  if (!remindAt || !nextChargeAt || remindAt > now()) return null
  await Subscription.in(tx).findById(id).patch({ remindedFor: nextChargeAt, remindAt: null })
  // If the worker was down until the charge, the mail about its order replaces the reminder.
  return nextChargeAt > now() ? reminderKind(subscription) : null
}
