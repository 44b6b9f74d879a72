import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockPayment, Payment } from '../payment.ts'

/** A charge that is to be sent now. */
export interface SendingCharge {
  payment: Payment
  cardReference: string
  customerId: string
}

/**
 * Records that a charge of a saved card is sent: from then on its outcome is awaited. Undefined for a payment that was
 * settled or canceled, and for an order that was canceled: then nothing is sent.
 */
export async function startCharge(tx: StoreTx, paymentId: string): Promise<SendingCharge | undefined> {
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
