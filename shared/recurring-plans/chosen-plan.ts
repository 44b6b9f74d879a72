import { isSoldSql } from './plans-of-product.ts'
import { type RecurringTerms, type RecurringTermsJson, readTerms } from './terms.ts'
import { hasUsedTrialSql } from './trial-use.ts'

/** The plan of a line of a cart. */
export interface ChosenPlan {
  planId: string
  /** Whether the plan sells the product: it is active and not deleted, and has the product. */
  isSold: boolean
  /** The current terms of the plan, without a trial that the customer has used. */
  terms: RecurringTerms
}

/** A plan as JSON. */
export interface ChosenPlanRow extends Omit<ChosenPlan, 'terms'> {
  terms: RecurringTermsJson
}

const trialSql = (customerId: string | null): string => `
  case when plan.trial_cycle is not null ${customerId ? `and not ${hasUsedTrialSql('plan', customerId)}` : ''}
    then json_build_object('priceMinor', plan.trial_price_minor, 'duration', plan.trial_duration,
      'durationUnit', plan.trial_duration_unit, 'cycle', plan.trial_cycle,
      'maxQuantity', plan.trial_max_quantity) end`

const termsSql = (customerId: string | null): string => `
  json_build_object('nameI18n', plan.name_i18n, 'priceMinor', plan.price_minor, 'duration', plan.duration,
    'durationUnit', plan.duration_unit, 'cycle', plan.cycle, 'trial', ${trialSql(customerId)})`

/**
 * SQL of a `ChosenPlanRow`; null for a line without a plan, which reads no table. The parameters are the alias of a row
 * with a `recurring_plan_id`, its product, and SQL of the customer's id; null for guests. The terms have no trial if
 * the customer has used it.
 */
export const chosenPlanSql = (line: string, product: string, customerId: string | null): string => `
  case when ${line}.recurring_plan_id is not null then (
    select json_build_object('planId', plan.id, 'terms', ${termsSql(customerId)}, 'isSold', ${isSoldSql('plan')} and exists (
      select from recurring_plan_products link where link.store_id = plan.store_id
        and link.product_id = ${product}.id and link.recurring_plan_id = plan.id))
    from recurring_plans plan
    where plan.store_id = ${line}.store_id and plan.id = ${line}.recurring_plan_id) end`

export const toChosenPlan = ({ terms, ...row }: ChosenPlanRow): ChosenPlan => ({
  ...row,
  terms: readTerms(terms),
})
