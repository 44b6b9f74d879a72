import { sum } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import { type PricedUnits, priceItem } from './price-item.ts'
import { exceedsPaid, voucherSpent } from './refund-limit.ts'
import type { RefundRequest } from './refund-request.ts'
import { type RefundableOrder, unrefundedShippingMinor } from './refundable-order.ts'

/** The part of a bought voucher's price that a refund pays, in minor units. */
export interface VoucherPrice {
  orderItemId: string
  priceMinor: bigint
}

export interface RefundBreakdown {
  amountMinor: bigint
  /** Whether the amount is not rounded: staff chose it, or it is all that is left. Otherwise it is a sum of prices. */
  isFixed: boolean
  shippingAmountMinor: bigint
  /** The refunded units. A voucher is among them if its whole price is refunded. */
  items: PricedUnits[]
  voucherPrices: VoucherPrice[]
}

/**
 * Calculates a refund. Of a bought voucher it refunds the unspent part. With `override` it refunds the whole price of
 * the voucher, and also replaced units. Throws 422: `refund.quantity_exceeded`, `refund.exceeds_paid`,
 * `refund.voucher_spent`, and `validation.failed` for a line of another order or a fee above the price of the units.
 */
export function calculateRefund(refundable: RefundableOrder, request: RefundRequest): RefundBreakdown {
  if ('amountMinor' in request)
    return {
      amountMinor: request.amountMinor,
      isFixed: true,
      shippingAmountMinor: 0n,
      items: [],
      voucherPrices: [],
    }
  const { items = [], shippingAmountMinor = 0n, feeMinor = 0n, override = false } = request
  const shippingLeft = unrefundedShippingMinor(refundable)
  if (shippingAmountMinor > shippingLeft) throw exceedsPaid(refundable, shippingLeft)
  const priced = items.map((item, index) => priceItem(refundable, item, { index, override }))
  const unitsMinor = sum(priced.map(({ amountMinor }) => amountMinor))
  if (feeMinor > unitsMinor) throw invalid(['fee_amount'], 'Keep at most the price of the units')
  const vouchers = priced.filter(({ isVoucher }) => isVoucher)
  const amountMinor = unitsMinor - feeMinor + shippingAmountMinor
  if (amountMinor === 0n && vouchers.length) throw voucherSpent(refundable)
  return {
    amountMinor,
    isFixed: false,
    shippingAmountMinor,
    items: priced.filter(({ isWhole }) => isWhole).map(({ item, amountMinor }) => ({ ...item, amountMinor })),
    voucherPrices: vouchers.map(({ item, amountMinor: priceMinor }) => ({
      orderItemId: item.orderItemId,
      priceMinor,
    })),
  }
}
