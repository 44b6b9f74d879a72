import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '#shared/refunds/booking/withdraw-vouchers.ts'
import type { RefundBreakdown } from '#shared/refunds/calculate/calculate-refund.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'

export interface NewRefund extends RefundBreakdown {
  /** The part of the amount that is rounding. */
  roundingMinor: bigint
  /** The gateway payment of which `gatewayAmountMinor` is refunded; null without one. */
  paymentId: string | null
  gatewayAmountMinor: bigint
  /** The part that goes back to the voucher. Staff pay the rest, or issue a credit for it. */
  voucherAmountMinor: bigint
  /** The amount, if the caller issues a voucher for it; otherwise 0. */
  creditMinor: bigint
  reason: string | null
  restock: boolean
  /** Whether the refund pays for a return. Its units have shipped. */
  isReturn: boolean
}

/**
 * Inserts a refund of an order, and enqueues the job that sends it. A refund without a gateway payment is settled
 * immediately. The refunded price of bought vouchers is withdrawn from them. The caller has checked that the store has
 * no other refund of the order in progress.
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
  else await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
  return refund
}
