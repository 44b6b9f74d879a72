import { formatMinor, larger, sum } from '#shared/platform/money.ts'
import { RefundErrors } from '../errors.ts'
import { amountOfLastUnits } from './amount-of-units.ts'
import { leftMinor, type RefundableOrder } from './refundable-order.ts'

/** The spent part of the prices of the vouchers that an order bought. */
const spentMinor = ({ vouchers }: RefundableOrder): bigint =>
  sum(vouchers.map((voucher) => voucher.leftMinor - voucher.unspentMinor))

/** The paid price of the replaced units of an order. Units that were refunded all the same do not count. */
const replacedMinor = ({ lines, replaced }: RefundableOrder): bigint =>
  sum(
    lines.map((line) => {
      const units = Math.min(replaced.get(line.id) ?? 0, line.quantity - line.refundedQuantity)
      return amountOfLastUnits(line, units)
    }),
  )

/**
 * The part of the captured money that paid for goods and shipping: without the prices of vouchers and of replaced
 * units.
 */
export const goodsMinor = (refundable: RefundableOrder): bigint => {
  const prices = refundable.vouchers.map((voucher) => voucher.leftMinor + voucher.withdrawnMinor)
  return refundable.order.amountCapturedMinor - sum(prices) - replacedMinor(refundable)
}

/** The part of `goodsMinor` that is left: other money is the price of vouchers that were bought. */
export const goodsLeftMinor = (refundable: RefundableOrder): bigint =>
  leftMinor(refundable) -
  sum(refundable.vouchers.map((voucher) => voucher.leftMinor)) -
  replacedMinor(refundable)

/** The largest refund without override. */
const largestMinor = (refundable: RefundableOrder): bigint =>
  larger(0n, leftMinor(refundable) - spentMinor(refundable) - replacedMinor(refundable))

/**
 * Throws `refund.voucher_spent` and `refund.units_replaced` when a refund would pay for value that the buyer keeps: the
 * spent part of a voucher, or units that were sent again.
 */
export function assertWithinLimit(refundable: RefundableOrder, amountMinor: bigint): void {
  if (amountMinor <= largestMinor(refundable)) return
  const spent = spentMinor(refundable)
  if (spent > 0n && amountMinor > leftMinor(refundable) - spent) throw voucherSpent(refundable)
  if (replacedMinor(refundable) > 0n)
    throw RefundErrors.unitsReplaced({ refundable: formatLimit(refundable) })
}

/** The error of a refund that would pay the spent part of a voucher. */
export function voucherSpent(refundable: RefundableOrder) {
  const unspentMinor = sum(refundable.vouchers.map((voucher) => voucher.unspentMinor))
  return RefundErrors.voucherSpent({
    unspent: formatMinor(unspentMinor, refundable.order.currency),
    refundable: formatLimit(refundable),
  })
}

const formatLimit = (refundable: RefundableOrder): string =>
  formatMinor(largestMinor(refundable), refundable.order.currency)
