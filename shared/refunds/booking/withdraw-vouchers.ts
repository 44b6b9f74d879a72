import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import type { VoucherPrice } from '#shared/refunds/calculate/calculate-refund.ts'
import { goodsMinor } from '#shared/refunds/calculate/refund-limit.ts'
import type { RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { lockRefundableOrder } from '#shared/refunds/refundable/lock-refundable-order.ts'
import { type BoughtVoucher, withdrawPrice } from '#shared/vouchers/redemptions/withdraw-price.ts'

/**
 * Withdraws value from the vouchers that an order bought, after a refund that pays their prices was inserted. `prices`
 * names the lines and prices. Without `prices`, it withdraws the amount by which all refunds exceed the price of the
 * goods. A refund made by the gateway withdraws only unspent value.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  prices: readonly VoucherPrice[],
): Promise<void> {
  // The vouchers of an unpaid order are not paid for.
  if (order.amountCapturedMinor === 0n) return
  const refundable = await lockRefundableOrder(tx, order)
  if (refundable.vouchers.length === 0) return
  for (const { voucher, priceMinor } of sharesOf(refundable, prices))
    await withdrawPrice(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}

interface Share {
  voucher: BoughtVoucher
  priceMinor: bigint
}

/**
 * Returns the part of each voucher's price that the refund pays. Without named prices, unspent value is taken first.
 */
function sharesOf(refundable: RefundableOrder, prices: readonly VoucherPrice[]): Share[] {
  const named = new Map(prices.map(({ orderItemId, priceMinor }) => [orderItemId, priceMinor]))
  const shares: Share[] = refundable.vouchers.map((voucher) => ({
    voucher,
    priceMinor: named.get(voucher.orderItemId) ?? 0n,
  }))
  let restMinor = refundedPricesMinor(refundable) - sum(shares.map(({ priceMinor }) => priceMinor))
  const raise = (share: Share, toMinor: bigint) => {
    const moreMinor = larger(0n, smaller(restMinor, toMinor - share.priceMinor))
    share.priceMinor += moreMinor
    restMinor -= moreMinor
  }
  for (const share of shares) raise(share, share.voucher.unspentMinor)
  for (const share of shares) raise(share, share.voucher.unwithdrawnMinor)
  return shares.filter(({ priceMinor }) => priceMinor > 0n)
}

/**
 * Returns the refunded prices of vouchers that are not withdrawn yet: the amount by which refunds exceed the price of
 * goods.
 */
function refundedPricesMinor(refundable: RefundableOrder): bigint {
  const { order, vouchers, inProgressMinor } = refundable
  const withdrawnMinor = sum(vouchers.map((voucher) => voucher.withdrawnMinor))
  return order.amountRefundedMinor + inProgressMinor - goodsMinor(refundable) - withdrawnMinor
}
