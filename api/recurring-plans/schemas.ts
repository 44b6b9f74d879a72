import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Changes, I18nLine, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { RECURRING_PLANS } from '#shared/recurring-plans/list-recurring-plans.ts'
import { Cycle, Duration, DurationUnit, PlanPrice, Trial } from '#shared/recurring-plans/view.ts'

export const RecurringPlanParams = Shape({ plan_id: Uuid })

export const TrialRequest = Shape({
  ...Trial.properties,
  max_quantity: Type.Optional(Trial.properties.max_quantity),
})

const optional = {
  price: Type.Optional(PlanPrice),
  cycle: Type.Optional(Cycle),
  trial: Type.Optional(Nullable(TrialRequest)),
  is_active: Type.Optional(Type.Boolean()),
  sort_order: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'Products show their plans in this order' }),
  ),
  product_ids: Type.Optional(
    Type.Array(Uuid, { maxItems: 1_000, description: 'The products that can be bought by this plan' }),
  ),
}

export const CreateRecurringPlanRequest = Shape({
  name_i18n: I18nLine(200),
  duration: Duration,
  duration_unit: DurationUnit,
  ...optional,
})

export const UpdateRecurringPlanRequest = Changes(CreateRecurringPlanRequest.properties)

export const RecurringPlanListQuery = listQuery(RECURRING_PLANS)

export const ApplyPlanPriceRequest = Shape({
  from: Type.Optional({ ...Timestamp, description: '14 days ahead at least, which is the default' }),
})
