import { inStore } from '#shared/platform/db/store-scope.ts'
import { stopDisputedSubscriptions as job } from '#shared/subscriptions/jobs.ts'
import { stopDisputedSubscriptions as stop } from '#shared/subscriptions/lifecycle/stop-disputed-subscriptions.ts'
import { handle } from '#workers/platform/handle.ts'

/** Stops the subscriptions that an order charges, after its buyer disputed the payment. */
export const stopDisputedSubscriptions = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => stop(tx, orderId)),
)
