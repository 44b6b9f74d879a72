import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '#shared/refunds/booking/withdraw-vouchers.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import type { LockedRefundableOrder } from '#shared/refunds/refundable/lock-refundable-order.ts'
import type { RefundDraft } from './split-refund.ts'

type NewRefund = RefundDraft & Pick<Refund, 'reason' | 'restock' | 'isReturn' | 'requestedBy'>

/** Inserts a pending refund with its units, and withdraws the refunded prices from bought vouchers. */
export async function insertRefund(
  tx: StoreTx,
  { order, vouchers }: LockedRefundableOrder,
  { items, voucherPrices, ...columns }: NewRefund,
): Promise<Refund> {
  const refund = await Refund.in(tx).insert({
    ...columns,
    origin: 'store',
    orderId: order.id,
    status: 'pending',
    currency: order.currency,
    createdAt: now(),
  })
  for (const item of items) await RefundItem.in(tx).insert({ refundId: refund.id, ...item })
  if (vouchers.length > 0) await withdrawVouchers(tx, order, refund, voucherPrices)
  return refund
}
