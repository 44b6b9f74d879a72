import { recordClosed, type StatusAtGateway } from '#shared/payments/notifications/settle-payment.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { settlePaymentAndRefunds } from '#shared/refunds/excess/settle-payment-and-refunds.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { findSentPayment } from './find-sent-payment.ts'

/** A request to the gateway has ended after this time, whatever became of it. */
const REQUEST_ENDS_AFTER_MS = 5 * MINUTE_MS

/**
 * Makes sure that the gateway cannot capture a payment any more, between two transactions. A refusal to cancel it means
 * that it was captured or canceled before: then its status is read, and a capture is applied. Otherwise the caller
 * decides what becomes of the payment and its order.
 */
export async function closeAtGateway(payment: Payment): Promise<void> {
  const { id, storeId, closedAtGateway } = payment
  if (closedAtGateway) return
  const reference = payment.gatewayReference ?? (await findReference(payment))
  if (!reference) return
  const outcome = await cancelOrRead(reference)
  if (outcome.status === 'open') throw new Error(`The gateway neither cancels nor captured the payment ${id}`)
  await inStore(storeId, (tx) =>
    outcome.status === 'captured' ? settlePaymentAndRefunds(tx, id, outcome) : recordClosed(tx, id),
  )
}

/**
 * The reference of a charge whose outcome is not known here. It is looked up: a repeat could charge the card only now.
 * Null when there is nothing at the gateway.
 */
async function findReference(payment: Payment): Promise<string | null> {
  const { id, storeId, sentAt } = payment
  if (!sentAt) return null
  const sent = await findSentPayment(payment)
  if (!sent && sentAt > inMs(-REQUEST_ENDS_AFTER_MS))
    throw new Error(`The gateway may still make the charge ${id}`)
  await inStore(storeId, (tx) => (sent ? recordOpenedPayment(tx, id, sent) : recordClosed(tx, id)))
  return sent?.reference ?? null
}

async function cancelOrRead(reference: string): Promise<StatusAtGateway> {
  const gateway = stripeGateway()
  try {
    await gateway.cancel(reference)
    return { status: 'canceled', reason: null }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return gateway.readPayment(reference)
  }
}
