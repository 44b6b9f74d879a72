import { smaller } from '#shared/platform/money.ts'
import type { RefundBreakdown } from './calculate-refund.ts'
import { priceUnits } from './price-item.ts'
import { type RefundableOrder, unitsLeft, unrefundedShippingMinor } from './refundable-order.ts'

/** Returns the refund of everything that is left of an order: captured money, units and shipping. */
export function calculateRemainder(refundable: RefundableOrder): RefundBreakdown {
  const { order, lines } = refundable
  return {
    amountMinor: order.refundableMinor,
    isFixed: true,
    shippingAmountMinor: smaller(unrefundedShippingMinor(refundable), order.refundableMinor),
    items: lines
      .map((line) => priceUnits(refundable, line, unitsLeft(refundable, line)))
      .filter(({ quantity }) => quantity > 0),
    voucherPrices: [],
  }
}
