import { allocate, proportion, sum } from '#shared/platform/money.ts'
import type { AppliedRate } from './tax-rules.ts'

/** A rate is in parts of this number. */
export const MILLION = 1_000_000n

type Rate = Pick<AppliedRate, 'ratePpm' | 'isCompound'>

/** Returns the tax of each rate on an amount in minor units. */
export type TaxesOf = (amountMinor: bigint) => bigint[]

/**
 * Returns a function that calculates the tax of each rate on a net amount, each rounded half away from zero. A compound
 * rate applies to the amount plus all previous taxes.
 */
export const taxesOn =
  (rates: readonly Rate[]): TaxesOf =>
  (netMinor) => {
    let taxedMinor = netMinor
    return rates.map(({ ratePpm, isCompound }) => {
      const tax = proportion(isCompound ? taxedMinor : netMinor, BigInt(ratePpm), MILLION)
      taxedMinor += tax
      return tax
    })
  }

/** An amount without and with its taxes, in any unit. Only their proportion counts. */
export interface GrossRatio {
  net: bigint
  gross: bigint
}

/** Returns the exact proportion of a net and a gross amount under rates, in lowest terms. */
export function grossRatio(rates: readonly Rate[]): GrossRatio {
  const net = netOfWholeTaxes(rates)
  const gross = net + sum(taxesOn(rates)(net))
  const divisor = greatestCommonDivisor(net, gross)
  return { net: net / divisor, gross: gross / divisor }
}

/** Returns a net amount whose taxes are all whole numbers. */
const netOfWholeTaxes = (rates: readonly Rate[]): bigint => MILLION ** BigInt(rates.length)

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

/**
 * Returns a function that calculates the tax of each rate within a gross amount. Their sum is rounded once, half away
 * from zero, and allocated by rate, so that the gross amount never changes.
 */
export function taxesIn(rates: readonly Rate[]): TaxesOf {
  const { net, gross } = grossRatio(rates)
  const weights = taxesOn(rates)(netOfWholeTaxes(rates))
  return (grossMinor) => allocate(proportion(grossMinor, gross - net, gross), weights)
}
