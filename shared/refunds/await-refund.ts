import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { findRefund, type Refund } from './refund.ts'

/**
 * Waits at most `timeoutMs` until a refund is settled, and returns it, settled or not. Call it outside a transaction.
 */
export const awaitRefund = (storeId: string, refundId: string, timeoutMs: number): Promise<Refund> =>
  waitUntilSettled(
    refundId,
    timeoutMs,
    () => inStore(storeId, (tx) => findRefund(tx, refundId)),
    ({ isInProgress }) => !isInProgress,
  )
