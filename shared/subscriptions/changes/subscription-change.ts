import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** A subscription before and after a change. */
export interface SubscriptionChange {
  before: Subscription
  after: Subscription
}
