import { proportion, sum } from '../platform/money.ts'

/** A rate that applies to a place, of a class that is taxed there. */
export interface AppliedRate {
  taxClassId: string
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
export function taxesOn(amountMinor: bigint, rates: readonly Omit<AppliedRate, 'taxClassId'>[]): bigint[] {
  let taxedMinor = amountMinor
  return rates.map(({ ratePpm, isCompound }) => {
    const tax = proportion(isCompound ? taxedMinor : amountMinor, BigInt(ratePpm), MILLION)
    taxedMinor += tax
    return tax
  })
}

/** The tax on amounts of any class under these terms. */
export function taxUnder({ rates, defaultClassId }: TaxTerms) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (amountMinor: bigint, taxClassId: string | null): bigint => {
    const classId = taxClassId ?? defaultClassId
    return sum(taxesOn(amountMinor, (classId && byClass.get(classId)) || []))
  }
}
