import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { PlanPrice } from '#shared/recurring-plans/view.ts'
import type { RequestedPriceChange } from './request-price-change.ts'

/** An announced price of a plan's running subscriptions. */
export const PriceChangeView = Shape({
  recurring_plan_id: Uuid,
  unit_price: PlanPrice,
  from: Timestamp,
  subscriptions: Type.Integer({ description: 'Running subscriptions of the plan' }),
})

export const viewPriceChange = (
  { change, subscriptions }: RequestedPriceChange,
  currency: string,
): Static<typeof PriceChangeView> => ({
  recurring_plan_id: change.recurringPlanId,
  unit_price: change.priceMinor === null ? null : toMajor(change.priceMinor, currency),
  from: toTimestamp(change.startsAt),
  subscriptions,
})
