import type { Transitions } from '#shared/platform/states.ts'

export const SUBSCRIPTION_STATUSES = [
  'pending',
  'active',
  'past_due',
  'suspended',
  'paused',
  'canceled',
  'completed',
  'expired',
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/**
 * `pending`: the first order is not paid yet. `expired`: the first order was not paid in time. A late payment activates
 * an `expired` or `suspended` subscription. A new card moves a `suspended` subscription to `past_due`, and the charge
 * is retried immediately.
 */
export const SUBSCRIPTION_TRANSITIONS: Transitions<SubscriptionStatus> = {
  pending: ['active', 'expired', 'canceled', 'completed'],
  active: ['paused', 'past_due', 'canceled', 'completed'],
  past_due: ['active', 'suspended', 'canceled', 'completed'],
  suspended: ['active', 'past_due', 'canceled', 'completed'],
  paused: ['active', 'canceled'],
  canceled: [],
  completed: [],
  expired: ['active', 'completed'],
}

export const ENDED_SUBSCRIPTION_STATUSES: ReadonlySet<SubscriptionStatus> = new Set([
  'canceled',
  'completed',
  'expired',
])

/** The statuses of subscriptions that charge now or may charge later. */
export const LIVE_SUBSCRIPTION_STATUSES = SUBSCRIPTION_STATUSES.filter(
  (status) => !ENDED_SUBSCRIPTION_STATUSES.has(status),
)
