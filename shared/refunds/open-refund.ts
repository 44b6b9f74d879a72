import type { Actor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { RefundDraft } from './draft-refund.ts'
import { RefundErrors } from './errors.ts'
import { findUnderWay } from './find-refund.ts'
import { sendRefund } from './jobs.ts'
import { Refund } from './refund.ts'
import { RefundItem } from './refund-item.ts'
import { settleRefund } from './settle-refund.ts'
import { withdrawVouchers } from './withdraw-vouchers.ts'

export interface NewRefund extends RefundDraft {
  /** The gateway payment it is taken from, and how much of it. */
  paymentId: string | null
  gatewayAmountMinor: bigint
  /** How much goes back on the voucher that paid; what exceeds both goes back by other means. */
  voucherAmountMinor: bigint
  reason: string | null
  restock: boolean
}

/**
 * Writes a refund down with the job that sends it, on an order that the caller has locked; one that needs no gateway
 * is settled at once. Vouchers that it pays for can be spent no more from now on. Throws `refund.in_progress`: an order has one refund under way at most.
 */
export async function openRefund(tx: StoreTx, order: Order, draft: NewRefund, actor: Actor): Promise<Refund> {
  if (await findUnderWay(tx, order.id)) throw RefundErrors.inProgress()
  const { items, ...columns } = draft
  const refund = await Refund.in(tx).insert({
    ...columns,
    orderId: order.id,
    status: 'pending',
    currency: order.currency,
    requestedBy: actor,
    createdAt: now(),
  })
  for (const item of items) await RefundItem.in(tx).insert({ refundId: refund.id, ...item })
  await withdrawVouchers(tx, order, refund, items)
  if (refund.paymentId) await enqueue(tx, sendRefund, { refundId: refund.id })
  else await settleRefund(tx, refund.id, { status: 'succeeded', reference: null, failureReason: null })
  return refund
}
