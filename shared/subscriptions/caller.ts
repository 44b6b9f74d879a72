import type { OrderActor } from '#shared/orders/actor.ts'

/** The caller that changes a subscription. A customer changes only their own. */
export interface SubscriptionCaller {
  actor: OrderActor
  customerId?: string | undefined
}
