import { Type } from 'typebox'
import { textOrEmptySql } from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { Money, Nullable, Uuid } from '#shared/platform/http/schema.ts'
import { PLAN_ORDER, plansOfProductSql } from '#shared/recurring-plans/plans-of-product.ts'
import { Cycle, Duration, DurationUnit, PlanPrice, Trial } from '#shared/recurring-plans/view.ts'
import { NetPrice, netPriceSql, priceSql } from './prices-at-place.ts'

const { price: TrialPrice, cycle: TrialCycle } = Trial.properties

const trialFields = jsonFields({
  price: [TrialPrice, priceSql('plan.trial_price_minor')],
  price_net: [NetPrice, netPriceSql('plan.trial_price_minor')],
  duration: [Duration, 'plan.trial_duration'],
  duration_unit: [DurationUnit, 'plan.trial_duration_unit'],
  cycle: [TrialCycle, 'plan.trial_cycle'],
})

const planFields = jsonFields({
  id: [Uuid, 'plan.id'],
  name: [Type.String(), textOrEmptySql('plan.name_i18n')],
  price: [PlanPrice, priceSql('plan.price_minor')],
  price_net: [{ ...Nullable(Money), description: 'Without tax' }, netPriceSql('plan.price_minor')],
  duration: [Duration, 'plan.duration'],
  duration_unit: [DurationUnit, 'plan.duration_unit'],
  cycle: [Cycle, 'plan.cycle'],
  trial: [
    Nullable(schemaOf(trialFields)),
    `case when plan.trial_cycle is not null then ${jsonSql(trialFields)} end`,
  ],
})

/** The recurring plans that sell product `p`, with its `at_place`, now. */
export const recurringPlansField = [
  Type.Array(schemaOf(planFields), { description: 'The plans by which it can be bought, besides once' }),
  `(select coalesce(json_agg(${jsonSql(planFields)} order by ${PLAN_ORDER}), '[]') ${plansOfProductSql('p')})`,
] as const
