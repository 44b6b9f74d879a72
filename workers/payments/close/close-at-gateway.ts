import { recordClosedAtGateway } from '#shared/payments/close/record-closed-at-gateway.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { settlePayment } from '#shared/settlement/settle-payment.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { findSentPayment } from '#workers/payments/find-sent-payment.ts'

/** Every request to the gateway has ended after this time. */
const REQUEST_ENDS_AFTER_MS = 5 * MINUTE_MS

/**
 * Makes sure that the gateway can no longer capture a payment. Call it outside a transaction. If the gateway refuses to
 * cancel the payment, it was captured or canceled before: then this reads its status and applies a capture. The caller
 * updates the order of a payment that was not captured.
 */
export async function closeAtGateway(payment: Payment): Promise<void> {
  const { id, storeId, closedAtGateway } = payment
  if (closedAtGateway) return
  const reference = payment.gatewayReference ?? (await findReference(payment))
  if (!reference) return
  const outcome = await cancelOrRead(reference)
  if (outcome.status === 'open') throw new Error(`The gateway neither cancels nor captured the payment ${id}`)
  await inStore(storeId, (tx) =>
    outcome.status === 'captured' ? settlePayment(tx, id, outcome) : recordClosedAtGateway(tx, id),
  )
}

/**
 * Returns the reference of a charge whose outcome is unknown; null if there is no payment at the gateway. It looks the
 * charge up and does not repeat it: if the first request never arrived, a repeat would charge the card now.
 */
async function findReference(payment: Payment): Promise<string | null> {
  const { id, storeId, sentAt } = payment
  if (!sentAt) return null
  const sent = await findSentPayment(payment)
  if (!sent && sentAt > inMs(-REQUEST_ENDS_AFTER_MS))
    throw new Error(`The gateway may still make the charge ${id}`)
  await inStore(storeId, (tx) => (sent ? recordOpenedPayment(tx, id, sent) : recordClosedAtGateway(tx, id)))
  return sent?.reference ?? null
}

async function cancelOrRead(reference: string): Promise<StatusAtGateway> {
  const gateway = stripeGateway()
  try {
    await gateway.cancelPayment(reference)
    return { status: 'canceled', reason: null }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return gateway.readPayment(reference)
  }
}
