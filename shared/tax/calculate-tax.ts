import { allocate, proportion, sum } from '#shared/platform/money.ts'
import type { AppliedRate, TaxTerms } from './tax-terms.ts'

const MILLION = 1_000_000n

type Rate = Pick<AppliedRate, 'ratePpm' | 'isCompound'>

/**
 * The tax of each rate on a net amount in minor units, each rounded half away from zero (decisions, section 1). A
 * compound rate applies to the amount plus all previous taxes.
 */
export function taxesOn(netMinor: bigint, rates: readonly Rate[]): bigint[] {
  let taxedMinor = netMinor
  return rates.map(({ ratePpm, isCompound }) => {
    const tax = proportion(isCompound ? taxedMinor : netMinor, BigInt(ratePpm), MILLION)
    taxedMinor += tax
    return tax
  })
}

/** The exact proportion of a net and a gross amount. */
export interface GrossRatio {
  net: bigint
  gross: bigint
}

/** The proportion under rates, as a fraction in lowest terms. */
export function grossRatio(rates: readonly Rate[]): GrossRatio {
  // A net amount of which no rate is rounded.
  const net = MILLION ** BigInt(rates.length)
  const gross = net + sum(taxesOn(net, rates))
  const divisor = greatestCommonDivisor(net, gross)
  return { net: net / divisor, gross: gross / divisor }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

/**
 * The tax of each rate within a gross amount in minor units. Their sum is rounded once, half away from zero, and
 * allocated by rate: the gross amount never changes.
 */
export function taxesIn(grossMinor: bigint, rates: readonly Rate[]): bigint[] {
  const { net, gross } = grossRatio(rates)
  const exact = taxesOn(MILLION ** BigInt(rates.length), rates)
  return allocate(proportion(grossMinor, gross - net, gross), exact)
}

/** Returns a function that calculates the taxes on or, where prices include tax, in an amount of a class. */
function taxesUnder(terms: TaxTerms) {
  const ratesOf = ratesByClass(terms.rates, terms)
  const taxes = terms.includedRates === null ? taxesOn : taxesIn
  return (amountMinor: bigint, taxClassId: string | null) => {
    const rates = ratesOf(taxClassId)
    return { rates, taxesMinor: taxes(amountMinor, rates) }
  }
}

/** Returns a function that calculates the tax on or, where prices include tax, in an amount of a class. */
export function taxUnder(terms: TaxTerms) {
  const taxes = taxesUnder(terms)
  return (amountMinor: bigint, taxClassId: string | null): bigint =>
    sum(taxes(amountMinor, taxClassId).taxesMinor)
}

/**
 * Returns a function that gives the price at a place for a price that the store entered. Net prices stay. A price that
 * includes tax loses the included rates and gets those of the place: it changes where they differ. Rounded half away
 * from zero.
 */
export function priceUnder(terms: TaxTerms) {
  const { includedRates } = terms
  if (includedRates === null) return (enteredMinor: bigint): bigint => enteredMinor
  const ratioOf = priceRatio(terms, includedRates)
  return (enteredMinor: bigint, taxClassId: string | null): bigint => {
    const { from, to } = ratioOf(taxClassId)
    return proportion(enteredMinor, to, from)
  }
}

/** Returns a function that gives the exact proportion of entered and charged prices of a class. */
function priceRatio(terms: TaxTerms, includedRates: readonly AppliedRate[]) {
  const ratesOf = ratesByClass(terms.rates, terms)
  const includedOf = ratesByClass(includedRates, terms)
  return (taxClassId: string | null): { from: bigint; to: bigint } => {
    const included = grossRatio(includedOf(taxClassId))
    const charged = grossRatio(ratesOf(taxClassId))
    return { from: included.gross * charged.net, to: included.net * charged.gross }
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
  const ratioOf = includedRates && priceRatio(terms, includedRates)
  const classIds = new Set([...rates, ...(includedRates ?? [])].map(({ taxClassId }) => taxClassId))
  return new Map(
    [...classIds].map((classId) => {
      const charged = grossRatio(ratesOf(classId))
      const ratePpm = Number(proportion(charged.gross - charged.net, MILLION, charged.net))
      const { from, to } = ratioOf?.(classId) ?? { from: 1n, to: 1n }
      const { net, gross } = includedRates ? charged : { net: 1n, gross: 1n }
      return [classId, { from, to, net, gross, ratePpm }]
    }),
  )
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
  /** The amounts that bear the rate, without any tax. */
  netMinor: bigint
}

/** The tax of each rate over all amounts. The parts add up to the total tax. */
export function taxParts(terms: TaxTerms, amounts: readonly Taxed[]): TaxPart[] {
  const taxes = taxesUnder(terms)
  const parts = new Map<string, TaxPart>()
  for (const { amountMinor, taxClassId } of amounts) {
    const { rates, taxesMinor } = taxes(amountMinor, taxClassId)
    const netMinor = terms.includedRates === null ? amountMinor : amountMinor - sum(taxesMinor)
    for (const [index, taxMinor] of taxesMinor.entries()) {
      const { id, name, ratePpm } = rates[index] as AppliedRate
      const part = parts.get(id)
      parts.set(id, {
        name,
        ratePpm,
        taxMinor: (part?.taxMinor ?? 0n) + taxMinor,
        netMinor: (part?.netMinor ?? 0n) + netMinor,
      })
    }
  }
  return [...parts.values()]
}

/** Returns a function that lists the rates of a class by priority. */
function ratesByClass(rates: readonly AppliedRate[], { defaultClassId }: Pick<TaxTerms, 'defaultClassId'>) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}
