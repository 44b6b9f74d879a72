import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '#shared/refunds/booking/withdraw-vouchers.ts'
import { addRefundInProgress } from '#shared/refunds/calculate/refundable-order.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import type { LoadedRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import type { RefundPlan } from './plan-refund.ts'

type NewRefund = RefundPlan & Pick<Refund, 'reason' | 'restock' | 'isReturn' | 'requestedBy'>

/** Inserts a pending refund with its units, and withdraws the refunded prices from bought vouchers. */
export async function insertRefund(
  tx: StoreTx,
  refundable: LoadedRefundableOrder,
  { items, voucherPrices, ...columns }: NewRefund,
): Promise<Refund> {
  const refund = await Refund.in(tx).insert({
    ...columns,
    origin: 'store',
    orderId: refundable.order.id,
    status: 'pending',
    currency: refundable.order.currency,
    createdAt: now(),
  })
  for (const item of items) await RefundItem.in(tx).insert({ refundId: refund.id, ...item })
  const withRefund = addRefundInProgress(refundable, refund, items)
  await withdrawVouchers(tx, withRefund, refund, { prices: voucherPrices })
  return refund
}
