import { sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { ChosenPlan } from '#shared/recurring-plans/chosen-plan.ts'
import { chargeDate, countCharges, isTrialCharge } from '#shared/recurring-plans/schedule.ts'

/** The plan of a line with what a unit costs by it, at the prices of the line. `terms` has the prices as entered. */
export interface RecurringLine extends ChosenPlan {
  /** In a period of the trial. Null without a trial. */
  trialPriceMinor: bigint | null
  /** In a regular period: the price of the plan, else the current price of the variant. */
  regularPriceMinor: bigint
}

/** The prices of a plan for a variant at its current price. */
export const recurringLine = (plan: ChosenPlan, variantPriceMinor: bigint): RecurringLine => ({
  ...plan,
  trialPriceMinor: plan.terms.trial?.priceMinor ?? null,
  regularPriceMinor: plan.terms.priceMinor ?? variantPriceMinor,
})

/** The price of a unit at checkout, which is the first charge. */
export const firstPrice = ({ trialPriceMinor, regularPriceMinor }: RecurringLine): bigint =>
  trialPriceMinor ?? regularPriceMinor

/** The amount that trials take off the regular prices of lines. */
export const trialReductionMinor = (
  lines: readonly { quantity: number; recurring?: RecurringLine | null | undefined }[],
): bigint =>
  sum(
    lines.map(({ quantity, recurring }) =>
      recurring ? (recurring.regularPriceMinor - firstPrice(recurring)) * BigInt(quantity) : 0n,
    ),
  )

/** Whether the plan sets the price of the first charge; else it is the current price of the variant. */
export const setsFirstPrice = ({ terms }: RecurringLine): boolean =>
  terms.trial !== null || terms.priceMinor !== null

/** The charge after the one at checkout, if that is now. */
export interface NextCharge {
  at: Date
  unitPriceMinor: bigint
}

/** Null when the charge at checkout is the only one. */
export function findNextCharge(
  { terms, trialPriceMinor, regularPriceMinor }: RecurringLine,
  timeZone: string,
): NextCharge | null {
  if (countCharges(terms) === 1) return null
  const isTrial = trialPriceMinor !== null && isTrialCharge(terms, 1)
  return {
    at: chargeDate(terms, now(), 1, timeZone),
    unitPriceMinor: isTrial ? trialPriceMinor : regularPriceMinor,
  }
}
