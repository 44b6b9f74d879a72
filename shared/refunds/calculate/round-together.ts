import type { Refund } from '../refund.ts'

/** What one minor unit is in the unit of `roundedUpPpm`. */
export const MINOR_UNIT_PPM = 1_000_000

/** An amount in minor units, and what it exceeds the exact amount, in millionths of a minor unit. */
export interface RoundedUp {
  amountMinor: bigint
  roundedUpPpm: number
}

type Rounded = Pick<Refund, 'roundedUpPpm'>

const sumPpm = (refunds: readonly Rounded[]): number =>
  refunds.reduce((total, { roundedUpPpm }) => total + roundedUpPpm, 0)

/**
 * Rounds a new refund of a payment. When it and the earlier ones are rounded up by a whole minor unit in sum, it is one
 * minor unit smaller, so that all of them add up to the payment.
 */
export function roundTogether(refund: RoundedUp, earlier: readonly Rounded[]): RoundedUp {
  const { amountMinor, roundedUpPpm } = refund
  if (roundedUpPpm === 0 || sumPpm(earlier) + roundedUpPpm < MINOR_UNIT_PPM) return refund
  return { amountMinor: amountMinor - 1n, roundedUpPpm: roundedUpPpm - MINOR_UNIT_PPM }
}

/** A refund whose amount is to change by one minor unit. */
export interface RoundingChange {
  refundId: string
  moreMinor: 1n | -1n
}

/**
 * The changes after which refunds of one payment exceed their exact sum by less than one minor unit. The first refund
 * that can take a change takes it.
 */
export function findRoundingChanges(
  refunds: readonly Pick<Refund, 'id' | 'roundedUpPpm'>[],
): RoundingChange[] {
  const ppmById = new Map(refunds.map(({ id, roundedUpPpm }) => [id, roundedUpPpm]))
  const changes: RoundingChange[] = []
  let totalPpm = sumPpm(refunds)
  while (totalPpm < 0 || totalPpm >= MINOR_UNIT_PPM) {
    const moreMinor = totalPpm < 0 ? 1n : -1n
    const morePpm = Number(moreMinor) * MINOR_UNIT_PPM
    const next = [...ppmById].find(([, ppm]) => (moreMinor > 0n ? ppm < 0 : ppm > 0))
    if (!next) break
    const [refundId, ppm] = next
    changes.push({ refundId, moreMinor })
    ppmById.set(refundId, ppm + morePpm)
    totalPpm += morePpm
  }
  return changes
}
