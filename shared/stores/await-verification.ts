import { whenSettled } from '../platform/signals.ts'
import { inStore } from '../platform/store-scope.ts'
import { findClaim } from './find-claim.ts'
import type { StoreDomain } from './store-domain.ts'

/** The domain once its check has ended, or as it is when `timeoutMs` have passed. Call it outside a transaction. */
export async function awaitVerification(
  storeId: string,
  id: string,
  timeoutMs: number,
): Promise<StoreDomain> {
  const read = () => inStore(storeId, (tx) => findClaim(tx, id))
  const settled = await whenSettled(id, timeoutMs, async () => {
    const claim = await read()
    return claim.status === 'checking' ? null : claim
  })
  return settled ?? read()
}
