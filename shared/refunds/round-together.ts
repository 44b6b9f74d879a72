import type { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'

const MILLION = 1_000_000

/** An amount in minor units, and what it exceeds the exact amount, in millionths of a minor unit. */
export interface RoundedUp {
  amountMinor: bigint
  roundedUpPpm: number
}

/**
 * Rounds an amount that the gateway paid back of a payment, whose order the caller has locked, together with its earlier
 * ones: when they were rounded up by a whole minor unit in sum, this amount is smaller by one. The parts of a payment then
 * add up to the payment.
 */
export async function roundTogether(
  tx: StoreTx,
  { id }: Payment,
  { amountMinor, roundedUpPpm }: RoundedUp,
): Promise<RoundedUp> {
  if (roundedUpPpm === 0) return { amountMinor, roundedUpPpm }
  const earlier = await Refund.in(tx)
    .where('payment_id', id)
    .whereNotIn('status', ['failed', 'canceled'])
    .select('rounded_up_ppm')
  const earlierPpm = earlier.reduce((total, refund) => total + refund.roundedUpPpm, 0)
  if (earlierPpm + roundedUpPpm < MILLION || amountMinor === 1n) return { amountMinor, roundedUpPpm }
  return { amountMinor: amountMinor - 1n, roundedUpPpm: roundedUpPpm - MILLION }
}
