import { larger, smaller, sum } from '#shared/platform/money.ts'
import type { BoughtVoucher } from '#shared/vouchers/redemptions/bought-voucher.ts'
import type { VoucherPrice } from './calculate-refund.ts'
import { goodsMinor } from './refund-limit.ts'
import type { RefundableOrder } from './refundable-order.ts'

/** The part of a voucher's price that a refund pays, in minor units. */
interface Share {
  voucher: BoughtVoucher
  priceMinor: bigint
}

/**
 * Returns the part of each voucher's price to withdraw after a refund: the named prices, then the rest by which refunds
 * exceed the price of goods, at most `maxRestMinor`. The rest is taken from unspent value first.
 */
export function pricesToWithdraw(
  refundable: RefundableOrder,
  prices: readonly VoucherPrice[],
  maxRestMinor?: bigint,
): Share[] {
  const named = new Map(prices.map(({ orderItemId, priceMinor }) => [orderItemId, priceMinor]))
  const shares: Share[] = refundable.vouchers.map((voucher) => ({
    voucher,
    priceMinor: named.get(voucher.orderItemId) ?? 0n,
  }))
  const allMinor = refundedPricesMinor(refundable) - sum(shares.map(({ priceMinor }) => priceMinor))
  let restMinor = maxRestMinor === undefined ? allMinor : smaller(allMinor, maxRestMinor)
  const raise = (share: Share, toMinor: bigint) => {
    const moreMinor = larger(0n, smaller(restMinor, toMinor - share.priceMinor))
    share.priceMinor += moreMinor
    restMinor -= moreMinor
  }
  for (const share of shares) raise(share, share.voucher.unspentMinor)
  for (const share of shares) raise(share, share.voucher.unwithdrawnMinor)
  return shares.filter(({ priceMinor }) => priceMinor > 0n)
}

/** Returns the refunded voucher prices that are not yet withdrawn: refunds − goods − withdrawn. */
function refundedPricesMinor(refundable: RefundableOrder): bigint {
  const { order, vouchers, inProgressMinor } = refundable
  const withdrawnMinor = sum(vouchers.map((voucher) => voucher.withdrawnMinor))
  return order.amountRefundedMinor + inProgressMinor - goodsMinor(refundable) - withdrawnMinor
}
