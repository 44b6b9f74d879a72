import { expireDueOrder, findPaymentsToExpire } from '#shared/payments/expire-due-order.ts'
import { expireOrder as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'
import { closeAtGateway } from './settle-with-gateway.ts'

/** Fails an order that was not paid in its time. The gateway is asked first: the event of a capture may be lost. */
export const expireOrder = handle(job, async ({ storeId, orderId }) => {
  const payments = await inStore(storeId, (tx) => findPaymentsToExpire(tx, orderId))
  for (const payment of payments) await closeAtGateway(payment)
  await inStore(storeId, (tx) => expireDueOrder(tx, orderId))
})
