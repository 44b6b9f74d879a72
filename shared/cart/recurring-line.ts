import { sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { ChosenPlan } from '#shared/recurring-plans/chosen-plan.ts'
import { chargeDate, countCharges, isTrialCharge } from '#shared/recurring-plans/schedule.ts'

/**
 * The plan of a line with its prices of a unit, at the place of the line. `terms` has the prices that the store
 * entered.
 */
export interface RecurringLine extends ChosenPlan {
  /** The price in a period of the trial; null without a trial. */
  trialPriceMinor: bigint | null
  /** The price in a regular period: of the plan, or else the current price of the variant. */
  regularPriceMinor: bigint
}

/** Returns the prices of a plan for a variant at its current price. */
export const recurringLine = (plan: ChosenPlan, variantPriceMinor: bigint): RecurringLine => ({
  ...plan,
  trialPriceMinor: plan.terms.trial?.priceMinor ?? null,
  regularPriceMinor: plan.terms.priceMinor ?? variantPriceMinor,
})

/** Returns the price of a unit at checkout, the first charge. */
export const firstPrice = ({ trialPriceMinor, regularPriceMinor }: RecurringLine): bigint =>
  trialPriceMinor ?? regularPriceMinor

/** Returns the amount that trials take off the regular prices of lines. */
export const trialReductionMinor = (
  lines: readonly { quantity: number; recurring?: RecurringLine | null | undefined }[],
): bigint =>
  sum(
    lines.map(({ quantity, recurring }) =>
      recurring ? (recurring.regularPriceMinor - firstPrice(recurring)) * BigInt(quantity) : 0n,
    ),
  )

/** Whether the plan sets the price of the first charge. Otherwise it is the current price of the variant. */
export const setsFirstPrice = ({ terms }: RecurringLine): boolean =>
  terms.trial !== null || terms.priceMinor !== null

/** The second charge, if the checkout is now. */
export interface NextCharge {
  at: Date
  unitPriceMinor: bigint
}

/** Finds the second charge; null if the checkout is the only charge. */
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
