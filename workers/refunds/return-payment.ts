import { returnPayment as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { refundPayment } from '#shared/refunds/refund-payment.ts'
import { handle } from '#workers/platform/handle.ts'

/** Starts the refund of a payment that its order does not need. */
export const returnPayment = handle(job, ({ storeId, paymentId }) =>
  inStore(storeId, (tx) => refundPayment(tx, paymentId)),
)
