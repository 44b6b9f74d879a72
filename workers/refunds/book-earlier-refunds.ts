import { lockOrder } from '#shared/orders/order.ts'
import { bookEarlierRefunds as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from '#shared/refunds/apply-excess.ts'
import { handle } from '#workers/platform/handle.ts'

/** Books on a paid order what was refunded of its other payments before it was paid. */
export const bookEarlierRefunds = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, async (tx) => applyExcess(tx, await lockOrder(tx, orderId))),
)
