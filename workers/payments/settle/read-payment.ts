import { readPayment as job } from '#shared/payments/jobs.ts'
import { findPayment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { closeAtGateway } from '#workers/payments/close/close-at-gateway.ts'
import { refreshFromGateway } from '#workers/payments/refresh-from-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Reads the status of a payment at the gateway, and applies it. A payment that is canceled here is canceled there too.
 */
export const readPayment = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => findPayment(tx, paymentId))
  if (payment) await (payment.status === 'canceled' ? closeAtGateway(payment) : refreshFromGateway(payment))
})
