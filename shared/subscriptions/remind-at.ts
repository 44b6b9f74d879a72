import { DAY_MS } from '#shared/platform/time/clock.ts'
import { hoursOf, isTrialCharge, type Period } from '#shared/recurring-plans/schedule.ts'
import type { SubscriptionTerms } from '#shared/recurring-plans/terms.ts'
import type { SubscriptionStatus } from './states.ts'

const YEARLY_BEFORE_MS = 7 * DAY_MS
const AFTER_TRIAL_BEFORE_MS = 3 * DAY_MS

/** Whether a period is a year or longer. 52 weeks count as a year. */
const isYearly = (period: Period): boolean =>
  hoursOf(period) >= hoursOf({ duration: 52, durationUnit: 'week' })

export type ReminderKind = 'yearly' | 'trial_ends'

/** The properties of a subscription on which its reminder depends. */
interface Reminded {
  status: SubscriptionStatus
  terms: SubscriptionTerms
  position: number
  chargeNo: number
  nextChargeAt: Date | null
  cancelsAtPeriodEnd: boolean
  remindedFor: Date | null
}

/**
 * Returns the reason to remind the customer of the next charge: it follows a free trial, or it is yearly. Null without
 * a reason.
 */
export function reminderKind({ terms, position, chargeNo }: Reminded): ReminderKind | null {
  const { trial } = terms
  const isTrial = isTrialCharge(terms, position)
  // The first charge after the trial has the position `trial.cycle`. A pause can have skipped that position. Then the
  // number of the charge is at most one above the charges of the trial.
  const isFirst = trial && !isTrial && (position === trial.cycle || chargeNo <= trial.cycle + 1)
  if (isFirst && trial.priceMinor === 0) return 'trial_ends'
  return isYearly(trial && isTrial ? trial : terms) ? 'yearly' : null
}

/** Returns the time from which a reminder of the next charge is due; null if none is needed or it was sent. */
export function remindAtOf(subscription: Reminded): Date | null {
  const { status, nextChargeAt, cancelsAtPeriodEnd, remindedFor } = subscription
  if (status !== 'active' || !nextChargeAt || cancelsAtPeriodEnd) return null
  if (remindedFor?.getTime() === nextChargeAt.getTime()) return null
  const kind = reminderKind(subscription)
  if (!kind) return null
  return new Date(nextChargeAt.getTime() - (kind === 'yearly' ? YEARLY_BEFORE_MS : AFTER_TRIAL_BEFORE_MS))
}
