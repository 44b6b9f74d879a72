import type { Refund } from '#shared/refunds/refund.ts'

/** One minor unit in the unit of `roundedUpPpm`: millionths. */
export const MINOR_UNIT_PPM = 1_000_000

/** An amount in minor units, and how far it is rounded up, in millionths of a minor unit. */
export interface RoundedUp {
  amountMinor: bigint
  roundedUpPpm: number
}

type Rounded = Pick<Refund, 'roundedUpPpm'>

const sumPpm = (refunds: readonly Rounded[]): number =>
  refunds.reduce((total, { roundedUpPpm }) => total + roundedUpPpm, 0)

/**
 * Rounds a new refund of a payment, so that all its refunds add up to the payment. If the refunds together are rounded
 * up by a whole minor unit, the new one is one minor unit smaller.
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
 * Returns the changes after which the refunds of one payment exceed their exact sum by less than one minor unit. Each
 * change goes to the first refund that can take it.
 */
export function findRoundingChanges(
  refunds: readonly Pick<Refund, 'id' | 'roundedUpPpm'>[],
): RoundingChange[] {
  const changes: RoundingChange[] = []
  let totalPpm = sumPpm(refunds)
  const moreMinor = totalPpm < 0 ? 1n : -1n
  const morePpm = Number(moreMinor) * MINOR_UNIT_PPM
  for (const { id: refundId, roundedUpPpm } of refunds) {
    let ppm = roundedUpPpm
    const canChange = () => (moreMinor > 0n ? ppm < 0 : ppm > 0)
    while (isRoundedWrong(totalPpm) && canChange()) {
      changes.push({ refundId, moreMinor })
      ppm += morePpm
      totalPpm += morePpm
    }
  }
  return changes
}

const isRoundedWrong = (totalPpm: number): boolean => totalPpm < 0 || totalPpm >= MINOR_UNIT_PPM
