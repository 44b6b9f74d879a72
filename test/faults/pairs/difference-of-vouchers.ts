import { Order } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { FAILED_REFUND_STATUSES } from '#shared/refunds/states.ts'
import { VoucherWithdrawal } from '#shared/vouchers/redemptions/voucher-withdrawal.ts'

interface Withdrawn {
  atLeast: bigint
  atMost: bigint
  withdrawn: bigint
}

/**
 * The withdrawn prices of the vouchers that an order bought, if its refunds do not explain them; null if they do. What
 * refunds pay beyond goods and shipping comes out of vouchers, and what they pay for units of goods does not. Minor
 * units.
 */
export async function differenceOfVouchers(tx: StoreTx, orderId: string): Promise<Withdrawn | null> {
  const order = await Order.in(tx).findById(orderId).throwIfNotFound()
  const lines = await findOrderItems(tx, orderId)
  const goods = new Set(lines.filter(({ variantId }) => variantId).map(({ id }) => id))
  const pricesMinor = sum(lines.filter(({ id }) => !goods.has(id)).map((line) => line.lineTotalMinor))
  const refunds = await Refund.in(tx).where('order_id', orderId)
  // A failed refund leaves the withdrawals of later ones as they are, so there is no upper limit.
  const hasFailed = refunds.some(({ status }) => FAILED_REFUND_STATUSES.includes(status))
  const refundIds = refunds.map(({ id }) => id)
  const items = await RefundItem.in(tx).whereIn('refund_id', refundIds)
  const forOrder = ({ beyondSurplusMinor, excessMinor, isInProgress }: Refund) =>
    isInProgress ? beyondSurplusMinor : beyondSurplusMinor - excessMinor
  const forGoods = refunds.map((refund) => {
    const units = items.filter((item) => item.refundId === refund.id && goods.has(item.orderItemId))
    const exactMinor = sum(units.map(({ amountMinor }) => amountMinor)) + refund.shippingAmountMinor
    return smaller(forOrder(refund), exactMinor)
  })
  const inProgress = refunds.filter((refund) => refund.isInProgress).map(forOrder)
  const withdrawals = await VoucherWithdrawal.in(tx).whereIn('refund_id', refundIds).where('is_undone', false)
  const withdrawn = sum(withdrawals.map(({ priceMinor }) => priceMinor))
  const atLeast = larger(0n, order.amountRefundedMinor - (order.amountCapturedMinor - pricesMinor))
  const refundedMinor = order.amountRefundedMinor + sum(inProgress)
  const atMost = hasFailed ? pricesMinor : smaller(pricesMinor, refundedMinor - sum(forGoods))
  return withdrawn >= atLeast && withdrawn <= atMost ? null : { atLeast, atMost, withdrawn }
}
