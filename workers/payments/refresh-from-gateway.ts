import { recordRead } from '#shared/payments/notifications/settle-payment.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settlePaymentAndRefunds } from '#shared/refunds/excess/settle-payment-and-refunds.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'

type PaymentAtGateway = Pick<Payment, 'id' | 'storeId' | 'gatewayReference' | 'closedAtGateway'>

/** Reads the status of a payment at the gateway, between two transactions, and applies it. */
export async function refreshFromGateway({
  id,
  storeId,
  gatewayReference,
  closedAtGateway,
}: PaymentAtGateway): Promise<void> {
  if (!gatewayReference || closedAtGateway) return
  const outcome = await stripeGateway().readPayment(gatewayReference)
  await inStore(storeId, async (tx) => {
    await recordRead(tx, id)
    await settlePaymentAndRefunds(tx, id, outcome)
  })
}
