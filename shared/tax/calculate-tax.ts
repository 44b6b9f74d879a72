import { proportion, sum } from '#shared/platform/money.ts'
import type { AppliedRate, TaxTerms } from './tax-terms.ts'

const MILLION = 1_000_000n

/**
 * The tax of each rate on a net amount in minor units, each rounded half away from zero (decisions, section 1). A
 * compound rate applies to the amount plus all previous taxes.
 */
export function taxesOn(
  amountMinor: bigint,
  rates: readonly Pick<AppliedRate, 'ratePpm' | 'isCompound'>[],
): bigint[] {
  let taxedMinor = amountMinor
  return rates.map(({ ratePpm, isCompound }) => {
    const tax = proportion(isCompound ? taxedMinor : amountMinor, BigInt(ratePpm), MILLION)
    taxedMinor += tax
    return tax
  })
}

/** Returns a function that calculates the tax on an amount of a class. */
export function taxUnder(terms: TaxTerms) {
  const ratesOf = ratesByClass(terms)
  return (amountMinor: bigint, taxClassId: string | null): bigint =>
    sum(taxesOn(amountMinor, ratesOf(taxClassId)))
}

/** An amount in minor units and its tax class. */
export interface Taxed {
  amountMinor: bigint
  taxClassId: string | null
}

/** The tax of one rate over several amounts, in minor units. */
export interface TaxPart {
  name: string
  ratePpm: number
  taxMinor: bigint
}

/** The tax of each rate over all amounts. The parts add up to the total tax. */
export function taxParts(terms: TaxTerms, amounts: readonly Taxed[]): TaxPart[] {
  const ratesOf = ratesByClass(terms)
  const parts = new Map<string, TaxPart>()
  for (const { amountMinor, taxClassId } of amounts) {
    const rates = ratesOf(taxClassId)
    for (const [index, taxMinor] of taxesOn(amountMinor, rates).entries()) {
      const { id, name, ratePpm } = rates[index] as AppliedRate
      parts.set(id, { name, ratePpm, taxMinor: (parts.get(id)?.taxMinor ?? 0n) + taxMinor })
    }
  }
  return [...parts.values()]
}

/** Returns a function that lists the rates of a class by priority. */
function ratesByClass({ rates, defaultClassId }: TaxTerms) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}
