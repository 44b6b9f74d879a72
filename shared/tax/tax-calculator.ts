import { sum } from '#shared/platform/money.ts'
import { taxesIn, taxesOn } from './rate-arithmetic.ts'
import { type AppliedRate, onceByClass, ratesByClass, type TaxRules } from './tax-rules.ts'

/**
 * Returns a function that calculates the tax of each rate of a class separately: on an amount, or within it if prices
 * include tax.
 */
function rateTaxCalculator(rules: TaxRules) {
  const ratesOf = ratesByClass(rules.rates, rules)
  const calculatorOf = onceByClass((taxClassId) => {
    const rates = ratesOf(taxClassId)
    return { rates, taxesOf: rules.includedRates === null ? taxesOn(rates) : taxesIn(rates) }
  })
  return (amountMinor: bigint, taxClassId: string | null) => {
    const { rates, taxesOf } = calculatorOf(taxClassId)
    return { rates, taxesMinor: taxesOf(amountMinor) }
  }
}

/** Returns a function that calculates the whole tax of a class, like `rateTaxCalculator`. */
export function taxCalculator(rules: TaxRules) {
  const taxes = rateTaxCalculator(rules)
  return (amountMinor: bigint, taxClassId: string | null): bigint =>
    sum(taxes(amountMinor, taxClassId).taxesMinor)
}

/** An amount in minor units and its tax class. */
export interface Taxed {
  amountMinor: bigint
  taxClassId: string | null
}

/** The tax of one rate over several amounts, in minor units. */
export interface TaxPart {
  /** The class and the geo zone of the rate. Without a geo zone it applies everywhere. */
  taxClassId: string
  geoZoneId: string | null
  name: string
  ratePpm: number
  taxMinor: bigint
  /** The taxed amounts without any tax. */
  netMinor: bigint
}

/** Returns the tax of each rate over all amounts. The parts add up to the total tax. */
export function taxParts(rules: TaxRules, amounts: readonly Taxed[]): TaxPart[] {
  const taxes = rateTaxCalculator(rules)
  const parts = new Map<string, TaxPart>()
  for (const { amountMinor, taxClassId: classId } of amounts) {
    const { rates, taxesMinor } = taxes(amountMinor, classId)
    const netMinor = rules.includedRates === null ? amountMinor : amountMinor - sum(taxesMinor)
    for (const [index, taxMinor] of taxesMinor.entries()) {
      const { id, taxClassId, geoZoneId, name, ratePpm } = rates[index] as AppliedRate
      const part = parts.get(id)
      parts.set(id, {
        taxClassId,
        geoZoneId: geoZoneId ?? null,
        name,
        ratePpm,
        taxMinor: (part?.taxMinor ?? 0n) + taxMinor,
        netMinor: (part?.netMinor ?? 0n) + netMinor,
      })
    }
  }
  return [...parts.values()]
}
