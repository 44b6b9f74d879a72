import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { requireQuotaIn } from '#shared/platform/throttle/quota.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'

/** The most addresses that members give to a store's staff in a day. The owner has the same limit alone. */
export const MAX_ADDRESSES_PER_DAY = 100

/**
 * Counts an address that a store gives to a member of its staff without a proof. No other account of the platform can
 * have it then, so a store must not claim thousands. The owner is counted alone, because otherwise a member could use
 * the quota up. Past 100 in a day the commit fails with 429 `rate_limit.exceeded`.
 */
export function consumeAddressQuota(tx: StoreTx, { isOwner }: Pick<StaffMember, 'isOwner'>): void {
  const subject = `staff addresses of ${tx.storeId}${isOwner ? ' by the owner' : ''}`
  const use = { limit: MAX_ADDRESSES_PER_DAY, windowMs: DAY_MS }
  tx.beforeCommit('staff addresses', () => requireQuotaIn(tx, subject, use), 'quotas')
}
