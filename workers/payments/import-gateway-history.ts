import { importGatewayHistory as job } from '#shared/payments/jobs.ts'
import { findPayment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { refreshDispute } from '#workers/disputes/refresh-dispute.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Imports the refunds and disputes of a payment from the gateway. Their events found no store if they arrived before
 * the payment's reference was known here. Refunds and disputes that are here already stay as they are.
 */
export const importGatewayHistory = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => findPayment(tx, paymentId))
  if (!payment?.gatewayReference) return
  const refunds = await stripeGateway().listRefunds(payment.gatewayReference)
  const disputes = await stripeGateway().listDisputes(payment.gatewayReference)
  await inStore(storeId, async (tx) => {
    for (const refund of refunds) await bookGatewayRefund(tx, refund)
  })
  for (const { reference } of disputes) await refreshDispute(storeId, reference)
})
