import { hoursOf } from '#shared/recurring-plans/schedule.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** The properties of a subscription that decide what its customer pays. */
export interface Cost
  extends Pick<Subscription, 'unitPriceMinor' | 'nextPriceMinor' | 'quantity' | 'terms' | 'chargesLeft'> {
  /** The total of the next charge; null if it cannot be ordered today. */
  nextTotalMinor: bigint | null
}

/**
 * Whether a change of a subscription makes its customer pay more: a higher next charge, a higher price of the goods of
 * a later charge, more frequent charges, or more charges.
 */
export const costsMore = (before: Cost, after: Cost): boolean =>
  isNextHigher(before, after) ||
  priceOf(after) > priceOf(before) ||
  announcedPriceOf(after) > announcedPriceOf(before) ||
  hoursOf(after.terms) < hoursOf(before.terms) ||
  hasMoreCharges(before, after)

const isNextHigher = ({ nextTotalMinor: before }: Cost, { nextTotalMinor: after }: Cost): boolean =>
  before !== null && after !== null && after > before

const priceOf = ({ unitPriceMinor, quantity }: Cost): bigint => unitPriceMinor * BigInt(quantity)

const announcedPriceOf = ({ unitPriceMinor, nextPriceMinor, quantity }: Cost): bigint =>
  (nextPriceMinor ?? unitPriceMinor) * BigInt(quantity)

const hasMoreCharges = ({ chargesLeft: before }: Cost, { chargesLeft: after }: Cost): boolean =>
  before !== null && (after === null || after > before)
