import type { OrderActor } from '#shared/orders/actor.ts'
import type { Subscription } from './subscription.ts'

/** The caller who changes a subscription. Customers change only their own subscriptions. */
export interface SubscriptionCaller {
  actor: OrderActor
  customerId?: string | undefined
}

/** A subscription before and after a change by staff. */
export interface SubscriptionChangeByStaff {
  before: Subscription
  after: Subscription
}
