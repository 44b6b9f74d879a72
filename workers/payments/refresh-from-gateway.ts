import type { Payment } from '#shared/payments/payment.ts'
import { recordReadAtGateway } from '#shared/payments/record-read-at-gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settlePayment } from '#shared/settlement/settle-payment.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

type PaymentToRefresh = Pick<Payment, 'id' | 'storeId' | 'gatewayReference' | 'closedAtGateway'>

/** Reads the status of a payment at the gateway, between two transactions, and applies it. */
export async function refreshFromGateway({
  id,
  storeId,
  gatewayReference,
  closedAtGateway,
}: PaymentToRefresh): Promise<void> {
  if (!gatewayReference || closedAtGateway) return
  const outcome = await stripeGateway().readPayment(gatewayReference)
  await inStore(storeId, async (tx) => {
    await recordReadAtGateway(tx, id)
    await settlePayment(tx, id, outcome)
  })
}
