import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { VoucherPrice } from '#shared/refunds/calculate/calculate-refund.ts'
import { pricesToWithdraw } from '#shared/refunds/calculate/prices-to-withdraw.ts'
import type { RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { withdrawPrice } from '#shared/vouchers/redemptions/withdraw-price.ts'

/**
 * Takes the refunded part of each voucher's price out of the voucher: first the parts that `prices` names, then any
 * rest up to `maxRestMinor`, from unspent value first. `refundable` includes the refund.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  refundable: RefundableOrder,
  refund: Refund,
  { prices = [], maxRestMinor }: { prices?: readonly VoucherPrice[]; maxRestMinor?: bigint | undefined },
): Promise<void> {
  if (refundable.vouchers.length === 0) return
  for (const { voucher, priceMinor } of pricesToWithdraw(refundable, prices, maxRestMinor))
    await withdrawPrice(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}
