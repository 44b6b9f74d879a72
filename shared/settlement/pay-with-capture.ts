import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { cancelUnfulfillable } from '#shared/payments/capture/cancel-unfulfillable.ts'
import { completePayment } from '#shared/payments/capture/complete-payment.ts'
import { reserveForPaidOrder } from '#shared/payments/capture/reserve-for-paid-order.ts'
import { capturedOf, type Payment } from '#shared/payments/payment.ts'
import { recordSurplus, type SurplusReason } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'

/**
 * Pays an order with the money of a captured payment. The caller has locked both. The order needs at most the requested
 * amount. The rest is a surplus. Returns the changed order.
 */
export async function payWithCapture(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
): Promise<LockedOrder> {
  const { amountMinor: capturedMinor } = capturedOf(payment)
  if (!order.needsPayment)
    return recordAnySurplus(tx, order, payment, {
      amountMinor: capturedMinor,
      reason: surplusReasonOf(order),
    })
  const obstacle = order.awaitsPayment ? await reserveForPaidOrder(tx, order) : null
  if (obstacle) {
    const outcome = payment.isOffline ? 'owed to the buyer' : 'refunded'
    const note = `The payment was captured after ${obstacle}; it is ${outcome}.`
    const canceled = await cancelUnfulfillable(tx, order, note)
    return recordAnySurplus(tx, canceled, payment, {
      amountMinor: capturedMinor,
      reason: 'order_not_fulfillable',
    })
  }
  const neededMinor = smaller(capturedMinor, payment.amountMinor)
  const paid = await completePayment(tx, order, {
    paidMinor: neededMinor,
    actor: payment.recordedBy ?? 'gateway',
  })
  return recordAnySurplus(tx, paid, payment, { amountMinor: capturedMinor - neededMinor, reason: 'overpaid' })
}

const surplusReasonOf = ({ status }: Order): SurplusReason =>
  status === 'canceled' ? 'order_canceled' : 'paid_twice'

/** Records a surplus above 0. Returns the order. */
async function recordAnySurplus(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  surplus: { amountMinor: bigint; reason: SurplusReason },
): Promise<LockedOrder> {
  if (surplus.amountMinor > 0n) await recordSurplus(tx, order, payment, surplus)
  return order
}
