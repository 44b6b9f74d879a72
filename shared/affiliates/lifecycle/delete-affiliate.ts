import { Affiliate, lockAffiliate } from '#shared/affiliates/affiliate.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { readStore } from '#shared/stores/store.ts'
import { releaseTrackingCode } from '#shared/visits/tracking-code.ts'

/**
 * Deletes an affiliate, releases the code and erases the payout details. The ledger stays. Orders that complete later
 * earn nothing. Throws `resource.not_found`, and `affiliate.has_balance` while the store owes money.
 */
export async function deleteAffiliate(tx: StoreTx, id: string): Promise<void> {
  const affiliate = await lockAffiliate(tx, id)
  if (affiliate.balanceMinor > 0n) {
    const { currency } = await readStore(tx)
    throw AffiliateErrors.hasBalance({ balance: formatMinor(affiliate.balanceMinor, currency) })
  }
  const at = nextUpdatedAt(affiliate)
  await Affiliate.in(tx).findById(id).patch({ deletedAt: at, updatedAt: at, payoutSealed: null })
  await releaseTrackingCode(tx, id)
}
