import type { Texts } from '#shared/platform/text.ts'
import type { Period, Schedule } from './schedule.ts'

/** The periods before the first regular one, with their own price. */
export interface TrialTerms extends Period {
  priceMinor: bigint
  /** The number of periods, each with a charge. */
  cycle: number
  /** The most units of the plan that one order takes at this price. */
  maxQuantity: number
}

/**
 * The terms of a plan, which a subscription copies. Prices are in minor units of the store's currency. They include tax
 * if the store's catalog prices do.
 */
export interface RecurringTerms extends Schedule {
  nameI18n: Texts
  /** The price of one unit; null for the current price of the variant. */
  priceMinor: bigint | null
  trial: TrialTerms | null
}

/** The terms as JSON. Amounts are numbers, which are exact (see `Money`). */
export interface RecurringTermsJson extends Omit<RecurringTerms, 'priceMinor' | 'trial'> {
  priceMinor: number | null
  trial: (Omit<TrialTerms, 'priceMinor'> & { priceMinor: number }) | null
}

/**
 * The terms that a subscription stores as JSON. It stores the price of a unit separately, because the checkout replaces
 * null by the price of the variant.
 */
export type SubscriptionTerms = Omit<RecurringTermsJson, 'priceMinor'>

/** Reads terms from JSON. */
export const readTerms = ({ priceMinor, trial, ...terms }: RecurringTermsJson): RecurringTerms => ({
  ...terms,
  priceMinor: priceMinor === null ? null : BigInt(priceMinor),
  trial: trial && { ...trial, priceMinor: BigInt(trial.priceMinor) },
})

/** Writes terms as JSON. */
export const writeTerms = ({ priceMinor, trial, ...terms }: RecurringTerms): RecurringTermsJson => ({
  ...terms,
  priceMinor: priceMinor === null ? null : Number(priceMinor),
  trial: trial && { ...trial, priceMinor: Number(trial.priceMinor) },
})

/** Selects the terms that a subscription stores. */
export function keptTerms(terms: RecurringTerms): SubscriptionTerms {
  const { priceMinor: _, ...kept } = writeTerms(terms)
  return kept
}
