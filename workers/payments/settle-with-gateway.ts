import { recordClosed, recordRead, type StatusAtGateway } from '#shared/payments/apply-status.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { applyPaymentStatus } from '#shared/refunds/apply-payment-status.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'

type Located = Pick<Payment, 'id' | 'storeId' | 'gatewayReference' | 'closedAtGateway'>

/**
 * Makes sure that the gateway cannot capture a payment any more, between two transactions. A refusal to cancel it means
 * that it was captured or canceled before: then its status is read, and a capture is applied. Otherwise the caller decides
 * what becomes of the payment and its order.
 */
export async function closeAtGateway(payment: Located): Promise<void> {
  const { id, storeId, gatewayReference: reference, closedAtGateway } = payment
  if (!reference || closedAtGateway) return
  const found = await cancelOrRead(id, reference)
  if (found.status === 'open') throw new Error(`The gateway neither cancels nor captured the payment ${id}`)
  await inStore(storeId, (tx) =>
    found.status === 'captured' ? applyPaymentStatus(tx, id, found) : recordClosed(tx, id),
  )
}

async function cancelOrRead(paymentId: string, reference: string): Promise<StatusAtGateway> {
  const gateway = stripeGateway()
  try {
    await gateway.cancel({ idempotencyKey: `${paymentId}:cancel`, reference })
    return { status: 'canceled', reason: null }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return gateway.readPayment(reference)
  }
}

/** Reads the status of a payment at the gateway, between two transactions, and applies it. */
export async function readAtGateway({
  id,
  storeId,
  gatewayReference,
  closedAtGateway,
}: Located): Promise<void> {
  if (!gatewayReference || closedAtGateway) return
  const found = await stripeGateway().readPayment(gatewayReference)
  await inStore(storeId, async (tx) => {
    await recordRead(tx, id)
    await applyPaymentStatus(tx, id, found)
  })
}
