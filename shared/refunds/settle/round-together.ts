import { recordRefund } from '#shared/orders/amounts/record-refund.ts'
import type { Order } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { recordReturned } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Booking, bookExcess } from '../excess/book-excess.ts'
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
 * Rounds an amount that the gateway has refunded of a payment, whose order the caller has locked. When the refunds of
 * the payment are rounded up by a whole minor unit in sum, this one is one minor unit smaller, so that they add up to
 * the payment.
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

/** A refund and its order after a rounding. `isChanged`: an amount has changed. */
export interface Rounding extends Omit<Booking, 'orderMinor'> {
  isChanged: boolean
}

/**
 * Rounds the succeeded refunds of a payment again, after one of them (`changed`) has succeeded or failed. The caller
 * has locked the order. The sum then exceeds the exact amount by less than one minor unit. Returns the updated refund
 * and order.
 */
export async function recalculateRounding(tx: StoreTx, order: Order, changed: Refund): Promise<Rounding> {
  if (changed.roundedUpPpm === 0 || !changed.paymentId) return { order, refund: changed, isChanged: false }
  const found = await Refund.in(tx)
    .where({ payment_id: changed.paymentId, status: 'succeeded' })
    .whereNot('rounded_up_ppm', 0)
    .orderBy('id', 'desc')
  let refunds = found.map((refund) => (refund.id === changed.id ? changed : refund))
  let current = order
  for (let isChanged = false; ; isChanged = true) {
    const next = nextToRound(refunds)
    if (!next)
      return { order: current, refund: refunds.find(({ id }) => id === changed.id) ?? changed, isChanged }
    const booking = await bookAgain(tx, current, next.refund, next.moreMinor)
    current = booking.order
    refunds = refunds.map((refund) => (refund.id === booking.refund.id ? booking.refund : refund))
  }
}

/** The refund whose amount is to change by one minor unit; undefined when the sum is right. */
function nextToRound(refunds: readonly Refund[]): { refund: Refund; moreMinor: 1n | -1n } | undefined {
  const totalPpm = sumPpm(refunds)
  if (totalPpm >= 0 && totalPpm < MILLION) return undefined
  const isTooLow = totalPpm < 0
  const refund = refunds.find(({ roundedUpPpm }) => (isTooLow ? roundedUpPpm < 0 : roundedUpPpm > 0))
  return refund && { refund, moreMinor: isTooLow ? 1n : -1n }
}

/** Books a succeeded refund again with an amount that differs by one minor unit. */
async function bookAgain(tx: StoreTx, order: Order, refund: Refund, moreMinor: 1n | -1n): Promise<Booking> {
  const { surplusId, surplusMinor, beyondSurplusMinor, excessMinor } = refund
  if (surplusId && surplusMinor > 0n) await recordReturned(tx, surplusId, -surplusMinor)
  const bookedMinor = beyondSurplusMinor - excessMinor
  const reverted =
    bookedMinor > 0n ? await recordRefund(tx, order, { amountMinor: -bookedMinor, units: [] }) : order
  const amountMinor = refund.amountMinor + moreMinor
  const changes = {
    amountMinor,
    gatewayAmountMinor: amountMinor,
    roundedUpPpm: refund.roundedUpPpm + Number(moreMinor) * MILLION,
    surplusMinor: 0n,
    excessMinor: amountMinor,
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  return bookExcess(tx, reverted, refund.with(changes))
}
