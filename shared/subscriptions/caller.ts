import type { OrderActor } from '#shared/orders/actor.ts'

/** The caller who changes a subscription. Customers change only their own subscriptions. */
export interface SubscriptionCaller {
  actor: OrderActor
  customerId?: string | undefined
}
