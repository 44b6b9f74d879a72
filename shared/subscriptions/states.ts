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
 * `pending`: its first order is not paid yet; `expired`: that order was not paid in its time. A late payment activates
 * an expired one, and a suspended one; another card is tried as one that is `past_due`.
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

export const ENDED_STATUSES: ReadonlySet<SubscriptionStatus> = new Set(['canceled', 'completed', 'expired'])

/** It charges now or may charge later. */
export const LIVE_STATUSES = SUBSCRIPTION_STATUSES.filter((status) => !ENDED_STATUSES.has(status))
