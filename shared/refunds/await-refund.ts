import { whenSettled } from '../platform/signals.ts'
import { inStore } from '../platform/store-scope.ts'
import { findRefund } from './find-refund.ts'
import type { Refund } from './refund.ts'

/** The refund once it is settled, or as it is when `timeoutMs` have passed. Call it outside a transaction. */
export async function awaitRefund(storeId: string, refundId: string, timeoutMs: number): Promise<Refund> {
  const read = () => inStore(storeId, (tx) => findRefund(tx, refundId))
  const settled = await whenSettled(refundId, timeoutMs, async () => {
    const refund = await read()
    return refund.isUnderWay ? null : refund
  })
  return settled ?? read()
}
