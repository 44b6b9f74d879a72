import { lockOrder } from '#shared/orders/lock-order.ts'
import { giveUpPayments } from '#shared/payments/give-up-payments.ts'
import { closePayments as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Ends what could still be paid of a canceled order. */
export const closePayments = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, async (tx) => {
    const { status } = await lockOrder(tx, orderId)
    if (status === 'canceled') await giveUpPayments(tx, orderId)
  }),
)
