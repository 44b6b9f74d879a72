import { returnPayment as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { refundPayment } from '#shared/refunds/refund-payment.ts'
import { handle } from '#workers/platform/handle.ts'

/** Begins to send a payment back that nobody was to take any more. */
export const returnPayment = handle(job, ({ storeId, paymentId }) =>
  inStore(storeId, (tx) => refundPayment(tx, paymentId)),
)
