import { proportion } from '#shared/platform/money.ts'
import { grossRatio, MILLION } from './rate-arithmetic.ts'
import { ratesByClass } from './rates-by-class.ts'
import type { AppliedRate, TaxTerms } from './tax-terms.ts'

/** The price at a place for an entered price of a tax class. Minor units. */
export type PriceOf = (enteredMinor: bigint, taxClassId: string | null) => bigint

/**
 * Returns a function that gives the price at a place for a price that the store entered. Net prices stay. A price that
 * includes tax loses the included rates and gets those of the place: it changes where they differ. Rounded half away
 * from zero.
 */
export function priceUnder(terms: TaxTerms): PriceOf {
  const { includedRates } = terms
  if (includedRates === null) return (enteredMinor) => enteredMinor
  const ratioOf = priceRatioOf(terms, includedRates)
  return (enteredMinor, taxClassId) => {
    const { from, to } = ratioOf(taxClassId)
    return proportion(enteredMinor, to, from)
  }
}

/** Returns a function that gives the exact proportion of the entered prices of a class to those at the place. */
function priceRatioOf(terms: TaxTerms, includedRates: readonly AppliedRate[]) {
  const ratesOf = ratesByClass(terms.rates, terms)
  const includedOf = ratesByClass(includedRates, terms)
  return (taxClassId: string | null): { from: bigint; to: bigint } => {
    const included = grossRatio(includedOf(taxClassId))
    const atPlace = grossRatio(ratesOf(taxClassId))
    return { from: included.gross * atPlace.net, to: included.net * atPlace.gross }
  }
}

/** The factors of the prices of a tax class at a place. */
export interface ClassPrices {
  /** `entered × to ÷ from` is the price at the place. */
  from: bigint
  to: bigint
  /** `price × net ÷ gross` is its net price; both are 1 where prices are net. */
  net: bigint
  gross: bigint
  /** Parts per million of the net price, of all rates together. */
  ratePpm: number
}

/** The factors of each tax class that has rates, by its id. */
export function pricesByClass(terms: TaxTerms): Map<string, ClassPrices> {
  const { rates, includedRates } = terms
  const ratesOf = ratesByClass(rates, terms)
  const ratioOf = includedRates && priceRatioOf(terms, includedRates)
  const classIds = new Set([...rates, ...(includedRates ?? [])].map(({ taxClassId }) => taxClassId))
  return new Map(
    [...classIds].map((classId) => {
      const atPlace = grossRatio(ratesOf(classId))
      const ratePpm = Number(proportion(atPlace.gross - atPlace.net, MILLION, atPlace.net))
      const { from, to } = ratioOf?.(classId) ?? { from: 1n, to: 1n }
      const { net, gross } = includedRates ? atPlace : { net: 1n, gross: 1n }
      return [classId, { from, to, net, gross, ratePpm }]
    }),
  )
}
