import { cancelPayment as job } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'
import { handle } from '#workers/platform/handle.ts'

/** Cancels a payment at the gateway. A payment that is not open there yet is canceled when it opens. */
export const cancelPayment = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => Payment.in(tx).findById(paymentId))
  if (payment?.status !== 'canceled' || !payment.gatewayReference) return
  try {
    await stripeGateway().cancel({
      idempotencyKey: `${paymentId}:cancel`,
      reference: payment.gatewayReference,
    })
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    // Canceled before, or paid just now: then the gateway's notification of the capture leads to a refund.
    log.info({ storeId, paymentId, reason: error.reason }, 'the gateway refused to cancel a payment')
  }
})
