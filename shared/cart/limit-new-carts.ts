import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { requireQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'

/**
 * Counts a new guest cart by its network over all stores, right before the commit, because anyone can create carts that
 * stay for days. Past LIMIT_CARTS the commit fails with 429 `rate_limit.exceeded`.
 */
export function limitNewCarts(tx: StoreTx, network: string): void {
  const { LIMIT_CARTS: most } = config()
  if (!most) return
  const consume = () => requireQuotaIn(tx, `new carts of ${network}`, { limit: most, windowMs: HOUR_MS })
  tx.beforeCommit('new carts', consume, 'quotas')
}
