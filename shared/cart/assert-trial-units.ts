import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import type { CartLine } from './cart-line.ts'

/**
 * Throws `recurring_plan.too_many_trial_units` for more units of a plan at the price of its trial than the plan allows.
 * Lines of several variants can have the same plan.
 */
export function assertTrialUnits(lines: readonly CartLine[]): void {
  const units = new Map<string, number>()
  for (const { quantity, recurring } of lines) {
    const max = recurring?.terms.trial?.maxQuantity
    if (!recurring || max === undefined) continue
    const unitsOfPlan = (units.get(recurring.planId) ?? 0) + quantity
    if (unitsOfPlan > max) throw RecurringPlanErrors.tooManyTrialUnits({ max })
    units.set(recurring.planId, unitsOfPlan)
  }
}
