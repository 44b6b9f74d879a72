import { lockOrder } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from './refund.ts'
import { settleRefund } from './settle-refund.ts'
import { withdrawVouchers } from './withdraw-vouchers.ts'

/**
 * Books the amount of a lost dispute as refunded: the bank has given it back to the buyer. The caller has locked the
 * order. A dispute is booked once.
 */
export async function bookLostDispute(
  tx: StoreTx,
  payment: Payment,
  {
    disputeId,
    amountMinor,
    currency,
    reason,
  }: {
    disputeId: string
    amountMinor: bigint
    currency: string
    reason: string
  },
): Promise<void> {
  if (await Refund.in(tx).findOne('dispute_id', disputeId)) return
  const order = await lockOrder(tx, payment.orderId)
  const surplus = await Surplus.in(tx).findOne({ payment_id: payment.id, status: 'owed' })
  const refund = await Refund.in(tx).insert({
    orderId: order.id,
    paymentId: payment.id,
    origin: 'dispute',
    disputeId,
    surplusId: surplus?.id ?? null,
    status: 'pending',
    amountMinor,
    gatewayAmountMinor: amountMinor,
    currency,
    reason: `Lost dispute: ${reason}`,
    requestedBy: 'gateway',
    createdAt: now(),
  })
  if (!surplus) await withdrawVouchers(tx, order, refund, [])
  await settleRefund(tx, refund.id, { status: 'succeeded', reference: null, failureReason: null })
}
