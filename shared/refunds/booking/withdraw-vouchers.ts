import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import { type BoughtVoucher, withdrawPrice } from '#shared/vouchers/redemptions/withdraw-price.ts'
import type { VoucherPrice } from '../calculate/calculate-refund.ts'
import { goodsMinor } from '../calculate/refund-limit.ts'
import type { RefundableOrder } from '../calculate/refundable-order.ts'
import type { Refund } from '../refund.ts'
import { loadRefundableOrder } from '../refundable/load-refundable-order.ts'

/**
 * Withdraws value from the vouchers that were bought with an order when an inserted refund pays their prices: `prices`
 * of lines that it names; otherwise what all refunds exceed the price of the goods. Spent value stays spent: a refund
 * that the gateway made withdraws what is unspent.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  prices: readonly VoucherPrice[],
): Promise<void> {
  // Nobody has paid for vouchers of an unpaid order.
  if (order.amountCapturedMinor === 0n) return
  const refundable = await loadRefundableOrder(tx, order)
  if (refundable.vouchers.length === 0) return
  for (const { voucher, priceMinor } of sharesOf(refundable, prices))
    await withdrawPrice(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}

interface Share {
  voucher: BoughtVoucher
  priceMinor: bigint
}

/** The part of each voucher's price that the refund pays. Unnamed parts are taken from unspent value first. */
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
  for (const share of shares) raise(share, share.voucher.leftMinor)
  return shares.filter(({ priceMinor }) => priceMinor > 0n)
}

/** The part of vouchers' prices that refunds pay and that is not withdrawn: what they exceed the price of the goods. */
function refundedPricesMinor(refundable: RefundableOrder): bigint {
  const { order, vouchers, inProgressMinor } = refundable
  const withdrawnMinor = sum(vouchers.map((voucher) => voucher.withdrawnMinor))
  return order.amountRefundedMinor + inProgressMinor - goodsMinor(refundable) - withdrawnMinor
}
