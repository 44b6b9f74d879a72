import { lockPayment, Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isStoreActive } from '#shared/stores/store.ts'

/** A payment by saved card that is to be sent to the gateway now. */
export interface SavedCardPayment {
  payment: Payment
  cardReference: string
  customerId: string
}

/**
 * Records that a payment by saved card is sent to the gateway. Its outcome is awaited from now on. Returns undefined if
 * it must not be sent, because the payment is settled or canceled, the order is canceled, or the store is closed.
 */
export async function startSavedCardPayment(
  tx: StoreTx,
  paymentId: string,
): Promise<SavedCardPayment | undefined> {
  // A cancellation locks the order too. It has either ended, or it will find a sent charge.
  const locked = await lockPayment(tx, paymentId)
  if (!locked) return undefined
  const { payment, order } = locked
  const isUnsettled = payment.status === 'pending' && !payment.gatewayReference && !payment.closedAtGateway
  if (!isUnsettled || !order.awaitsPayment) return undefined
  const { cardUse, cardReference } = payment
  if (cardUse !== 'saved' || !cardReference || !order.customerId) return undefined
  // A charge that was sent before is repeated with its key, because its outcome must become known.
  if (!payment.sentAt && !(await isStoreActive(tx))) return undefined
  await Payment.in(tx).findById(paymentId).patch({ sentAt: now() })
  return { payment, cardReference, customerId: order.customerId }
}
