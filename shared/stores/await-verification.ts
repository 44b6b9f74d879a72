import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { findClaim } from './find-claim.ts'
import type { StoreDomain } from './store-domain.ts'

/** The domain once its check has ended, or as it is when `timeoutMs` have passed. Call it outside a transaction. */
export const awaitVerification = (storeId: string, id: string, timeoutMs: number): Promise<StoreDomain> =>
  waitUntilSettled(
    id,
    timeoutMs,
    () => inStore(storeId, (tx) => findClaim(tx, id)),
    ({ status }) => status !== 'checking',
  )
