import { proportion, sum } from '#shared/platform/money.ts'

/** A rate that applies to a place, of a class that is taxed there. */
export interface AppliedRate {
  id: string
  taxClassId: string
  name: string
  ratePpm: number
  isCompound: boolean
}

/** What is taxed at a place, and as what. */
export interface TaxTerms {
  /** By priority; of each class's priorities one. */
  rates: readonly AppliedRate[]
  /** The class of what has none of its own. */
  defaultClassId: string | null
}

const MILLION = 1_000_000n

/**
 * What each rate adds to a net amount, in minor units: rounded by itself, half away from zero (decisions, section 1). A
 * compound rate is on the amount with all taxes before it.
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

/** The tax on amounts of any class under these terms. */
export function taxUnder(terms: TaxTerms) {
  const ratesOf = ratesByClass(terms)
  return (amountMinor: bigint, taxClassId: string | null): bigint =>
    sum(taxesOn(amountMinor, ratesOf(taxClassId)))
}

/** An amount that is taxed as goods of a class. Minor units. */
export interface Taxed {
  amountMinor: bigint
  taxClassId: string | null
}

/** What one rate comes to, over all that it is on. Minor units. */
export interface TaxPart {
  name: string
  ratePpm: number
  taxMinor: bigint
}

/** What each rate comes to: the parts of the tax on all the amounts, to which they sum up. */
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

/** The rates of a class, by priority. */
function ratesByClass({ rates, defaultClassId }: TaxTerms) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}
