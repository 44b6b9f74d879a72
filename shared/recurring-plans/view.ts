import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { I18nText, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { type RecurringPlanWithProducts, termsOf } from './recurring-plan.ts'
import { DURATION_UNITS } from './schedule.ts'
import type { TrialTerms } from './terms.ts'

export const DurationUnit = Type.Enum([...DURATION_UNITS])
export const Duration = Type.Integer({
  minimum: 1,
  maximum: 366,
  description: 'The number of units from one charge to the next',
})
export const Cycle = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'The total number of charges, not counting those of the trial; 0: without end',
})

/** Periods before the first regular one. */
export const Trial = Shape({
  price: {
    ...Money,
    description: 'The price of a unit of each variant in each period of the trial; 0: a free trial',
  },
  duration: Duration,
  duration_unit: DurationUnit,
  cycle: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'The number of periods, each with a charge',
  }),
  max_quantity: Type.Integer({
    minimum: 1,
    maximum: 999,
    description: 'The most units of the plan that one order takes at the price of the trial',
  }),
})

export const PlanPrice = {
  ...Nullable(Money),
  description:
    "The price of a unit of each variant of the products in each period; null: the variant's current price",
}

export const RecurringPlanView = Shape({
  id: Uuid,
  name_i18n: I18nText(200),
  price: PlanPrice,
  duration: Duration,
  duration_unit: DurationUnit,
  cycle: Cycle,
  trial: Nullable(Trial),
  is_active: Type.Boolean(),
  sort_order: Type.Integer(),
  product_ids: Type.Array(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function viewRecurringPlan(
  { plan, productIds }: RecurringPlanWithProducts,
  currency: string,
): Static<typeof RecurringPlanView> {
  const { nameI18n, priceMinor, duration, durationUnit, cycle, trial } = termsOf(plan)
  return {
    id: plan.id,
    name_i18n: nameI18n,
    price: priceMinor === null ? null : toMajor(priceMinor, currency),
    duration,
    duration_unit: durationUnit,
    cycle,
    trial: trial && viewTrial(trial, currency),
    is_active: plan.isActive,
    sort_order: plan.sortOrder,
    product_ids: productIds,
    created_at: toTimestamp(plan.createdAt),
    updated_at: toTimestamp(plan.updatedAt),
  }
}

export const viewTrial = (
  { priceMinor, duration, durationUnit, cycle, maxQuantity }: TrialTerms,
  currency: string,
): Static<typeof Trial> => ({
  price: toMajor(priceMinor, currency),
  duration,
  duration_unit: durationUnit,
  cycle,
  max_quantity: maxQuantity,
})
