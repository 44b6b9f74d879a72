import { lockOrder } from '#shared/orders/order.ts'
import { cancelCardSetups } from '#shared/payments/cancel-card-setups.ts'
import { cancelPayments } from '#shared/payments/cancel-payments.ts'
import { closePayments as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Cancels the payments and card setups of a canceled order. */
export const closePayments = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, async (tx) => {
    const { status } = await lockOrder(tx, orderId)
    if (status !== 'canceled') return
    await cancelPayments(tx, orderId)
    await cancelCardSetups(tx, { orderId })
  }),
)
