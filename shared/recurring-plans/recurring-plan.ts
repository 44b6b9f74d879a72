import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import { findProductIds } from './plan-products.ts'
import type { DurationUnit } from './schedule.ts'
import type { RecurringTerms, TrialTerms } from './terms.ts'

/** A plan that sells products by regular charges, with or without a trial. */
export class RecurringPlan extends StoreModel {
  static override tableName = 'recurring_plans'
  static override jsonAttributes = ['nameI18n']

  declare nameI18n: Texts
  declare priceMinor: bigint | null
  declare duration: number
  declare durationUnit: DurationUnit
  declare cycle: number
  /** The fields of the trial. All five are null without one. */
  declare trialPriceMinor: bigint | null
  declare trialDuration: number | null
  declare trialDurationUnit: DurationUnit | null
  declare trialCycle: number | null
  declare trialMaxQuantity: number | null
  declare isActive: boolean
  declare sortOrder: number
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** A plan with the products that it sells. */
export interface RecurringPlanWithProducts {
  plan: RecurringPlan
  productIds: string[]
}

/** Finds a plan. Throws `resource.not_found`, also for a deleted one. */
export async function findRecurringPlan(tx: StoreTx, id: string): Promise<RecurringPlanWithProducts> {
  const plan = assertFound(await RecurringPlan.in(tx).findById(id).whereNull('deleted_at'))
  const products = await findProductIds(tx, [plan.id])
  return { plan, productIds: products.get(plan.id) ?? [] }
}

/** Reads and locks a plan. Throws `resource.not_found`, also for a deleted plan. */
export async function lockRecurringPlan(tx: StoreTx, id: string): Promise<RecurringPlan> {
  return assertFound(await RecurringPlan.in(tx).findById(id).whereNull('deleted_at').forNoKeyUpdate())
}

/** Returns the terms that a subscription copies from a plan. */
export const termsOf = (plan: RecurringPlan): RecurringTerms => ({
  nameI18n: plan.nameI18n,
  priceMinor: plan.priceMinor,
  duration: plan.duration,
  durationUnit: plan.durationUnit,
  cycle: plan.cycle,
  trial: trialOf(plan),
})

function trialOf(plan: RecurringPlan): TrialTerms | null {
  const { trialPriceMinor, trialDuration, trialDurationUnit, trialCycle, trialMaxQuantity } = plan
  if (trialPriceMinor === null || !trialDuration || !trialDurationUnit || !trialCycle || !trialMaxQuantity)
    return null
  return {
    priceMinor: trialPriceMinor,
    duration: trialDuration,
    durationUnit: trialDurationUnit,
    cycle: trialCycle,
    maxQuantity: trialMaxQuantity,
  }
}

/** The input of a trial. By default an order takes one unit at its price. */
export type TrialInput = Omit<TrialTerms, 'maxQuantity'> & Partial<TrialTerms>

/** Returns the columns of a trial. */
export const trialColumns = (trial: TrialInput | null) => ({
  trialPriceMinor: trial?.priceMinor ?? null,
  trialDuration: trial?.duration ?? null,
  trialDurationUnit: trial?.durationUnit ?? null,
  trialCycle: trial?.cycle ?? null,
  trialMaxQuantity: trial && (trial.maxQuantity ?? 1),
})
