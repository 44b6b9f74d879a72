import { lockOrder } from '#shared/orders/order.ts'
import { cancelCardSetups } from '#shared/payments/close/cancel-card-setups.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import { closePayments as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { returnUndecidedPayments } from '#shared/settlement/resolve-mismatch.ts'
import { handle } from '#workers/platform/handle.ts'

/** Cancels the payments and card setups of a canceled order, and pays back its mismatched payments. */
export const closePayments = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order.status !== 'canceled') return
    await cancelPayments(tx, orderId)
    await cancelCardSetups(tx, { orderId })
    await returnUndecidedPayments(tx, order)
  }),
)
