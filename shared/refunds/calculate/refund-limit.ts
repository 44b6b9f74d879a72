import { formatMinor, larger, sum } from '#shared/platform/money.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { amountOfLastUnits } from './amount-of-units.ts'
import { availableMinor, type RefundableOrder } from './refundable-order.ts'

/** Returns the spent value of the vouchers that an order bought, in minor units. */
const spentMinor = ({ vouchers }: RefundableOrder): bigint =>
  sum(vouchers.map((voucher) => voucher.unwithdrawnMinor - voucher.unspentMinor))

/** Returns the paid price of the replaced units of an order. Units that are refunded as well do not count. */
const replacedMinor = ({ lines, replaced, unitsInProgress }: RefundableOrder): bigint =>
  sum(
    lines.map((line) => {
      const left = line.quantity - line.refundedQuantity - (unitsInProgress.get(line.id) ?? 0)
      return amountOfLastUnits(line, Math.min(replaced.get(line.id) ?? 0, left))
    }),
  )

/**
 * Returns the captured money that paid for goods and shipping. It excludes the prices of vouchers and of replaced
 * units.
 */
export const goodsMinor = (refundable: RefundableOrder): bigint => {
  const prices = refundable.vouchers.map((voucher) => voucher.unwithdrawnMinor + voucher.withdrawnMinor)
  return refundable.order.amountCapturedMinor - sum(prices) - replacedMinor(refundable)
}

/** Returns the unrefunded part of `goodsMinor`. */
export const unrefundedGoodsMinor = (refundable: RefundableOrder): bigint =>
  availableMinor(refundable) -
  sum(refundable.vouchers.map((voucher) => voucher.unwithdrawnMinor)) -
  replacedMinor(refundable)

/** Returns the largest refund without override. */
const largestMinor = (refundable: RefundableOrder): bigint =>
  larger(0n, availableMinor(refundable) - spentMinor(refundable) - replacedMinor(refundable))

/**
 * Throws `refund.voucher_spent` or `refund.units_replaced` if a refund would pay for value that the buyer keeps: the
 * spent part of a voucher, or units that were sent again.
 */
export function assertWithinLimit(refundable: RefundableOrder, amountMinor: bigint): void {
  if (amountMinor <= largestMinor(refundable)) return
  const spent = spentMinor(refundable)
  if (spent > 0n && amountMinor > availableMinor(refundable) - spent) throw voucherSpent(refundable)
  if (replacedMinor(refundable) > 0n)
    throw RefundErrors.unitsReplaced({ refundable: formatLimit(refundable) })
}

/** Returns the error of a refund above the refundable amount. */
export const exceedsPaid = ({ order }: Pick<RefundableOrder, 'order'>, refundableMinor: bigint) =>
  RefundErrors.exceedsPaid({ refundable: formatMinor(refundableMinor, order.currency) })

/** Returns the error of a refund that would pay the spent part of a voucher. */
export function voucherSpent(refundable: RefundableOrder) {
  const unspentMinor = sum(refundable.vouchers.map((voucher) => voucher.unspentMinor))
  return RefundErrors.voucherSpent({
    unspent: formatMinor(unspentMinor, refundable.order.currency),
    refundable: formatLimit(refundable),
  })
}

const formatLimit = (refundable: RefundableOrder): string =>
  formatMinor(largestMinor(refundable), refundable.order.currency)
