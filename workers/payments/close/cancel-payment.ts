import { cancelPayment as job } from '#shared/payments/jobs.ts'
import { findPayment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'
import { closeAtGateway } from './close-at-gateway.ts'

/** Cancels a payment at the gateway. A payment that is not open there yet is canceled when it opens. */
export const cancelPayment = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => findPayment(tx, paymentId))
  if (payment?.status === 'canceled') await closeAtGateway(payment)
})
