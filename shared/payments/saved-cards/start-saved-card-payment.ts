import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockPayment, Payment } from '../payment.ts'

/** A payment by saved card that is to be sent to the gateway now. */
export interface SavedCardPayment {
  payment: Payment
  cardReference: string
  customerId: string
}

/**
 * Records that a payment by saved card is sent: from then on its outcome is awaited. Returns undefined, and nothing is
 * sent, for a payment that was settled or canceled and for an order that was canceled.
 */
export async function startSavedCardPayment(
  tx: StoreTx,
  paymentId: string,
): Promise<SavedCardPayment | undefined> {
  // A cancellation locks the order, too: it is over before, or it finds a charge that was sent.
  const locked = await lockPayment(tx, paymentId)
  if (!locked) return undefined
  const { payment, order } = locked
  const isUnsettled = payment.status === 'pending' && !payment.gatewayReference && !payment.closedAtGateway
  const { cardUse, cardReference } = payment
  if (!isUnsettled || !order.awaitsPayment || cardUse !== 'saved' || !cardReference || !order.customerId)
    return undefined
  await Payment.in(tx).findById(paymentId).patch({ sentAt: now() })
  return { payment, cardReference, customerId: order.customerId }
}
