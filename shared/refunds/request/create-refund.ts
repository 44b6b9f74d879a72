import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '../booking/withdraw-vouchers.ts'
import type { RefundBreakdown } from '../calculate/calculate-refund.ts'
import { sendRefund } from '../jobs.ts'
import { Refund, RefundItem } from '../refund.ts'
import { settleRefund } from '../settle/settle-refund.ts'

export interface NewRefund extends RefundBreakdown {
  /** The part of the amount that is rounding. */
  roundingMinor: bigint
  /** The gateway payment to refund, and the part of the amount that it pays. */
  paymentId: string | null
  gatewayAmountMinor: bigint
  /** The part that goes back to the voucher that paid; the rest of the amount goes back by other means. */
  voucherAmountMinor: bigint
  reason: string | null
  restock: boolean
  /** Of a return: its units were shipped. */
  isReturn: boolean
}

/**
 * Inserts a refund of an order, and enqueues the job that sends it. A refund without a gateway payment is settled at
 * once. The vouchers whose price is refunded lose that value now. The caller has checked that the order has no refund
 * in progress.
 */
export async function createRefund(
  tx: StoreTx,
  order: LockedOrder,
  draft: NewRefund,
  actor: OrderActor,
): Promise<Refund> {
  const { items, voucherPrices, ...columns } = draft
  const refund = await Refund.in(tx).insert({
    ...columns,
    origin: 'store',
    orderId: order.id,
    status: 'pending',
    currency: order.currency,
    requestedBy: actor,
    createdAt: now(),
  })
  for (const item of items) await RefundItem.in(tx).insert({ refundId: refund.id, ...item })
  await withdrawVouchers(tx, order, refund, voucherPrices)
  if (refund.paymentId) await enqueue(tx, sendRefund, { refundId: refund.id })
  else await settleRefund(tx, refund.id, { status: 'succeeded', reference: null, failureReason: null })
  return refund
}
