import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { VoucherPrice } from '#shared/refunds/calculate/calculate-refund.ts'
import { pricesToWithdraw } from '#shared/refunds/calculate/prices-to-withdraw.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { lockRefundableOrder } from '#shared/refunds/refundable/lock-refundable-order.ts'
import { withdrawPrice } from '#shared/vouchers/redemptions/withdraw-price.ts'

/**
 * Takes the refunded part of each voucher's price out of the voucher: first the parts that `prices` names, then any
 * rest up to `maxRestMinor`, from unspent value first. Call it after the refund is inserted or booked: it reads the
 * order again, with this refund.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  prices: readonly VoucherPrice[],
  maxRestMinor?: bigint,
): Promise<void> {
  // The vouchers of an unpaid order are not paid for.
  if (order.amountCapturedMinor === 0n) return
  const refundable = await lockRefundableOrder(tx, order)
  if (refundable.vouchers.length === 0) return
  for (const { voucher, priceMinor } of pricesToWithdraw(refundable, prices, maxRestMinor))
    await withdrawPrice(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}
