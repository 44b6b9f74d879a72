import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'

/** A new price for the running subscriptions of a plan. */
export class PriceChange extends StoreModel {
  static override tableName = 'subscription_price_changes'

  declare recurringPlanId: string
  /** The price of a unit. If null, the price of each subscription's variant applies. */
  declare priceMinor: bigint | null
  declare startsAt: Date
  /** The subscription that was changed last. Subscriptions are changed in the sequence of their ids. */
  declare lastSubscriptionId: string | null
  declare finishedAt: Date | null
  declare createdAt: Date
}

/** Returns a query of the plan's subscriptions that still have charges to come. */
export const runningSubscriptions = (tx: StoreTx, planId: string) =>
  Subscription.in(tx)
    .where('recurring_plan_id', planId)
    .whereIn('status', LIVE_SUBSCRIPTION_STATUSES)
    .where('cancels_at_period_end', false)
