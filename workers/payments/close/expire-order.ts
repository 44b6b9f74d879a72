import { expireDueOrder, findPaymentsAndSetupsToExpire } from '#shared/payments/close/expire-due-order.ts'
import { expireOrder as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { closeSetup } from '#workers/payments/card-setups/close-setup.ts'
import { handle } from '#workers/platform/handle.ts'
import { closeAtGateway } from './close-at-gateway.ts'

/**
 * Fails an order that was not paid in time. It asks the gateway first, because the notification of a capture may be
 * lost.
 */
export const expireOrder = handle(job, async ({ storeId, orderId }) => {
  const { payments, setups } = await inStore(storeId, (tx) => findPaymentsAndSetupsToExpire(tx, orderId))
  for (const payment of payments) await closeAtGateway(payment)
  for (const setup of setups) await closeSetup(setup)
  await inStore(storeId, (tx) => expireDueOrder(tx, orderId))
})
