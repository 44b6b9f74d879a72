import { allocate, proportion, sum } from '#shared/platform/money.ts'
import type { AppliedRate } from './tax-rules.ts'

/** A rate in parts per million of this. */
export const MILLION = 1_000_000n

type Rate = Pick<AppliedRate, 'ratePpm' | 'isCompound'>

/**
 * The tax of each rate on a net amount in minor units, each rounded half away from zero. A compound rate applies to the
 * amount plus all previous taxes.
 */
export function taxesOn(netMinor: bigint, rates: readonly Rate[]): bigint[] {
  let taxedMinor = netMinor
  return rates.map(({ ratePpm, isCompound }) => {
    const tax = proportion(isCompound ? taxedMinor : netMinor, BigInt(ratePpm), MILLION)
    taxedMinor += tax
    return tax
  })
}

/** An amount without its taxes and with them, in any unit: what counts is their proportion. */
export interface GrossRatio {
  net: bigint
  gross: bigint
}

/** The exact proportion of a net and a gross amount under rates, in lowest terms. */
export function grossRatio(rates: readonly Rate[]): GrossRatio {
  const net = netOfWholeTaxes(rates)
  const gross = net + sum(taxesOn(net, rates))
  const divisor = greatestCommonDivisor(net, gross)
  return { net: net / divisor, gross: gross / divisor }
}

/** A net amount whose tax no rate rounds. */
const netOfWholeTaxes = (rates: readonly Rate[]): bigint => MILLION ** BigInt(rates.length)

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

/**
 * The tax of each rate within a gross amount in minor units. Their sum is rounded once, half away from zero, and
 * allocated by rate: the gross amount never changes.
 */
export function taxesIn(grossMinor: bigint, rates: readonly Rate[]): bigint[] {
  const { net, gross } = grossRatio(rates)
  const weights = taxesOn(netOfWholeTaxes(rates), rates)
  return allocate(proportion(grossMinor, gross - net, gross), weights)
}
