import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { withdrawVouchers } from './withdraw-vouchers.ts'

/**
 * Takes the part of a refund that exceeds the price of goods out of the bought vouchers, at most `maxMinor`. Call it
 * after the refund is inserted or booked: it reads the order with this refund.
 */
export async function withdrawFromBoughtVouchers(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  maxMinor?: bigint,
): Promise<void> {
  // The vouchers of an unpaid order are not paid for.
  if (order.amountCapturedMinor === 0n) return
  await withdrawVouchers(tx, await loadRefundableOrder(tx, order), refund, { maxRestMinor: maxMinor })
}
