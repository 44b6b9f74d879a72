import { lockOrder } from '#shared/orders/order.ts'
import { cancelPayments } from '#shared/payments/cancel-payments.ts'
import { closePayments as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Cancels the payments of a canceled order. */
export const closePayments = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, async (tx) => {
    const { status } = await lockOrder(tx, orderId)
    if (status === 'canceled') await cancelPayments(tx, orderId)
  }),
)
