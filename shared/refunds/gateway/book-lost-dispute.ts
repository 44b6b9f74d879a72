import { undoRefunded } from '#shared/orders/lifecycle/undo-refunded.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { insertPaymentRefund } from './insert-payment-refund.ts'

/** A dispute that the buyer has won. `reason` is the gateway's text. */
export interface LostDispute {
  disputeId: string
  amountMinor: bigint
  currency: string
  reason: string
}

/**
 * Books the amount of a lost dispute as a refund, because the bank paid it back to the buyer. A repeat changes nothing.
 */
export async function bookLostDispute(
  tx: StoreTx,
  payment: Payment,
  { disputeId, amountMinor, currency, reason }: LostDispute,
): Promise<void> {
  const order = await lockOrder(tx, payment.orderId)
  if (await findBooked(tx, disputeId)) return
  const refund = await insertPaymentRefund(tx, order, payment, {
    origin: 'dispute',
    disputeId,
    amountMinor,
    currency,
    reason: `Lost dispute: ${reason}`,
  })
  await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
}

/**
 * Reverts the refund of a lost dispute after the bank has revised its decision. An order whose goods were sent is no
 * longer `refunded`.
 */
export async function revertLostDispute(tx: StoreTx, disputeId: string): Promise<void> {
  const booked = await findBooked(tx, disputeId)
  if (!booked) return
  await settleRefund(tx, booked.id, { status: 'failed', reference: null, failureReason: 'dispute_not_lost' })
  await undoRefunded(tx, await lockOrder(tx, booked.orderId))
}

/** Whether lost disputes paid the buyer more than the order had left, e.g. because staff had refunded it by credit. */
export const hasLostBeyondOrder = async (tx: StoreTx, orderId: string): Promise<boolean> =>
  (await Refund.in(tx)
    .where({ order_id: orderId, origin: 'dispute', status: 'succeeded' })
    .where('excess_minor', '>', 0)
    .first()) !== undefined

const findBooked = (tx: StoreTx, disputeId: string): PromiseLike<Refund | undefined> =>
  Refund.in(tx).findOne({ dispute_id: disputeId, status: 'succeeded' })
