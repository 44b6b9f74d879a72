import { recordRefund } from '#shared/orders/amounts/record-refund.ts'
import type { Order } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { recordReturned } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '../excess/book-excess.ts'
import { Refund } from '../refund.ts'

const MILLION = 1_000_000

/** An amount in minor units, and what it exceeds the exact amount, in millionths of a minor unit. */
export interface RoundedUp {
  amountMinor: bigint
  roundedUpPpm: number
}

const sumPpm = (refunds: readonly Pick<Refund, 'roundedUpPpm'>[]): number =>
  refunds.reduce((total, { roundedUpPpm }) => total + roundedUpPpm, 0)

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
  if (sumPpm(earlier) + roundedUpPpm < MILLION) return { amountMinor, roundedUpPpm }
  return { amountMinor: amountMinor - 1n, roundedUpPpm: roundedUpPpm - MILLION }
}

/**
 * Rounds the succeeded refunds of a payment, whose order the caller has locked, together again, after one of them has
 * succeeded or failed: in sum they exceed the exact amount by less than one minor unit. `changed` is that refund. True: an
 * amount has changed.
 */
export async function roundAgain(tx: StoreTx, order: Order, changed: Refund): Promise<boolean> {
  if (changed.roundedUpPpm === 0 || !changed.paymentId) return false
  const found = await Refund.in(tx)
    .where({ payment_id: changed.paymentId, status: 'succeeded' })
    .whereNot('rounded_up_ppm', 0)
    .orderBy('id', 'desc')
  const refunds = found.map((refund) => (refund.id === changed.id ? changed : refund))
  for (let isChanged = false; ; isChanged = true) {
    const totalPpm = sumPpm(refunds)
    const isTooLow = totalPpm < 0
    if (!isTooLow && totalPpm < MILLION) return isChanged
    const refund = refunds.find(({ roundedUpPpm }) => (isTooLow ? roundedUpPpm < 0 : roundedUpPpm > 0))
    if (!refund) return isChanged
    await bookAgain(tx, order, refund, isTooLow ? 1n : -1n)
  }
}

/** Books a succeeded refund again with an amount that differs by one minor unit. */
async function bookAgain(tx: StoreTx, order: Order, refund: Refund, moreMinor: 1n | -1n): Promise<void> {
  const { surplusId, surplusMinor, beyondSurplusMinor, excessMinor } = refund
  if (surplusId && surplusMinor > 0n) await recordReturned(tx, surplusId, -surplusMinor)
  const bookedMinor = beyondSurplusMinor - excessMinor
  if (bookedMinor > 0n) await recordRefund(tx, order, { amountMinor: -bookedMinor, units: [] })
  const amountMinor = refund.amountMinor + moreMinor
  const changes = {
    amountMinor,
    gatewayAmountMinor: amountMinor,
    roundedUpPpm: refund.roundedUpPpm + Number(moreMinor) * MILLION,
    surplusMinor: 0n,
    excessMinor: amountMinor,
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  Object.assign(refund, changes)
  await bookExcess(tx, order, refund)
}
