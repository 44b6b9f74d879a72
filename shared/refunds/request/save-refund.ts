import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '#shared/refunds/booking/withdraw-vouchers.ts'
import { exceedsPaid, type RefundBreakdown } from '#shared/refunds/calculate/calculate-refund.ts'
import { assertWithinLimit } from '#shared/refunds/calculate/refund-limit.ts'
import { type RefundMeans, splitBySource } from '#shared/refunds/calculate/refund-source.ts'
import { lowestExactPriceMinor, roundForGateway } from '#shared/refunds/calculate/round-for-gateway.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { findRefundSource } from '#shared/refunds/refundable/find-refund-source.ts'
import type { LockedRefundableOrder } from '#shared/refunds/refundable/lock-refundable-order.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'

/** A refund of calculated parts, before it is checked against what can be refunded. */
export interface RefundDecision extends RefundBreakdown {
  restock: boolean
  reason: string | null
  override: boolean
  means: RefundMeans
  isReturn: boolean
}

/**
 * Checks a calculated refund against what is left, saves it, and enqueues its sending. A refund without a gateway
 * payment is settled immediately, and returned as that leaves it. The caller has checked that the store has no other
 * refund of the order in progress. Throws `order.nothing_to_refund`, `refund.in_progress` and `refund.exceeds_paid`.
 */
export async function saveRefund(
  tx: StoreTx,
  refundable: LockedRefundableOrder,
  { override, means, isFixed, ...draft }: RefundDecision,
  actor: OrderActor,
): Promise<Refund> {
  const { order } = refundable
  if (order.refundableMinor === 0n) throw RefundErrors.nothingToRefund()
  if (draft.amountMinor === 0n)
    throw RefundErrors.nothingToRefund({ left: formatMinor(order.refundableMinor, order.currency) })
  const source = await findRefundSource(tx, refundable, means)
  const rounded = roundForGateway(order, source, { ...draft, isFixed })
  const { amountMinor } = rounded
  const overMaxMinor = amountMinor - source.maxMinor
  // The refund would pay again what the gateway is already paying back.
  if (overMaxMinor > 0n && overMaxMinor <= refundable.inProgressMinor) throw RefundErrors.inProgress()
  if (overMaxMinor > 0n) throw exceedsPaid(refundable, source.maxMinor)
  if (!override)
    assertWithinLimit(refundable, isFixed ? amountMinor : lowestExactPriceMinor(amountMinor, order))
  const parts = splitBySource(source, amountMinor, order.currency)
  const creditMinor = means === 'credit' ? amountMinor : 0n
  return insertRefund(tx, order, { ...draft, ...rounded, ...parts, creditMinor }, actor)
}

interface NewRefund extends Omit<RefundBreakdown, 'isFixed'> {
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

/** Inserts a refund, withdraws the refunded price of bought vouchers from them, and enqueues or settles the refund. */
async function insertRefund(
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
  if (refund.paymentId) {
    await enqueue(tx, sendRefund, { refundId: refund.id })
    return refund
  }
  await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
  return Refund.in(tx).findById(refund.id).throwIfNotFound()
}
