import { Type } from 'typebox'
import { textOrEmptySql } from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { Money, Nullable, Uuid } from '#shared/platform/http/schema.ts'
import { PLAN_ORDER, plansOfProductSql } from '#shared/recurring-plans/plans-of-product.ts'
import { Cycle, Duration, DurationUnit, PlanPrice, Trial } from '#shared/recurring-plans/view.ts'
import { NetPrice, type PriceSql } from './prices-at-place.ts'

const { price: TrialPrice, cycle: TrialCycle, max_quantity: TrialMaxQuantity } = Trial.properties

const trialFields = ({ price, netPrice }: PriceSql) =>
  jsonFields({
    price: [TrialPrice, price('plan.trial_price_minor')],
    price_net: [NetPrice, netPrice('plan.trial_price_minor')],
    duration: [Duration, 'plan.trial_duration'],
    duration_unit: [DurationUnit, 'plan.trial_duration_unit'],
    cycle: [TrialCycle, 'plan.trial_cycle'],
    max_quantity: [TrialMaxQuantity, 'plan.trial_max_quantity'],
  })

function planFields(prices: PriceSql) {
  const trial = trialFields(prices)
  return jsonFields({
    id: [Uuid, 'plan.id'],
    name: [Type.String(), textOrEmptySql('plan.name_i18n')],
    price: [PlanPrice, prices.price('plan.price_minor')],
    price_net: [{ ...Nullable(Money), description: 'Without tax' }, prices.netPrice('plan.price_minor')],
    duration: [Duration, 'plan.duration'],
    duration_unit: [DurationUnit, 'plan.duration_unit'],
    cycle: [Cycle, 'plan.cycle'],
    trial: [Nullable(schemaOf(trial)), `case when plan.trial_cycle is not null then ${jsonSql(trial)} end`],
  })
}

/** Returns the field of the recurring plans that sell product `p` now, with the join of `prices`. */
export function recurringPlansField(prices: PriceSql) {
  const plan = planFields(prices)
  return [
    Type.Array(schemaOf(plan), { description: 'The plans by which it can be bought, besides once' }),
    `(select coalesce(json_agg(${jsonSql(plan)} order by ${PLAN_ORDER}), '[]') ${plansOfProductSql('p')})`,
  ] as const
}
