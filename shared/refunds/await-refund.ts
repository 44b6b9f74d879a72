import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { findRefund } from './find-refund.ts'
import type { Refund } from './refund.ts'

/** The refund once it is settled, or as it is when `timeoutMs` have passed. Call it outside a transaction. */
export const awaitRefund = (storeId: string, refundId: string, timeoutMs: number): Promise<Refund> =>
  waitUntilSettled(
    refundId,
    timeoutMs,
    () => inStore(storeId, (tx) => findRefund(tx, refundId)),
    ({ isUnderWay }) => !isUnderWay,
  )
