import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** A subscription before and after a change by staff. */
export interface SubscriptionChangeByStaff {
  before: Subscription
  after: Subscription
}
