import type { Texts } from '#shared/platform/text.ts'
import type { Period, Schedule } from './schedule.ts'

/** The periods before the first regular one, at a price of their own. */
export interface TrialTerms extends Period {
  priceMinor: bigint
  /** The number of periods, each with a charge. */
  cycle: number
}

/**
 * The agreement of a buyer: the terms of a plan, which a subscription copies. Prices in minor units of the store's
 * currency, entered as the prices of products are: with tax where prices include it.
 */
export interface RecurringTerms extends Schedule {
  nameI18n: Texts
  /** The price of one unit. Null: the current price of the variant. */
  priceMinor: bigint | null
  trial: TrialTerms | null
}

/** The terms as JSON. Amounts are numbers, which are exact (see `Money`). */
export interface RecurringTermsJson extends Omit<RecurringTerms, 'priceMinor' | 'trial'> {
  priceMinor: number | null
  trial: (Omit<TrialTerms, 'priceMinor'> & { priceMinor: number }) | null
}

/**
 * The terms that a subscription keeps as JSON. It keeps the price of a unit on its own: null is resolved at checkout.
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

/** Selects the terms that a subscription keeps. */
export function keptTerms(terms: RecurringTerms): SubscriptionTerms {
  const { priceMinor: _, ...kept } = writeTerms(terms)
  return kept
}
