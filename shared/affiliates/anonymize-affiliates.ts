import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { releaseTrackingCode } from '#shared/visits/tracking-code.ts'
import { Affiliate } from './affiliate.ts'
import { CommissionEntry } from './commission-entry.ts'
import { findAffiliatesOfPerson } from './find-affiliates-of-person.ts'

/**
 * Erases a person from their affiliate accounts: code, website, company, payout details and references of payouts. The
 * amounts of the ledger stay. Returns the ids of the accounts.
 */
export async function anonymizeAffiliates(tx: StoreTx, customerId: string): Promise<string[]> {
  const affiliates = await findAffiliatesOfPerson(tx, customerId)
  for (const affiliate of affiliates) {
    const { id } = affiliate
    const at = nextUpdatedAt(affiliate)
    const erased = {
      code: id,
      website: null,
      company: null,
      payoutSealed: null,
    }
    await Affiliate.in(tx)
      .findById(id)
      .patch({ ...erased, deletedAt: affiliate.deletedAt ?? at, updatedAt: at })
    await releaseTrackingCode(tx, id)
  }
  const ids = affiliates.map(({ id }) => id)
  await CommissionEntry.in(tx)
    .whereIn('affiliate_id', ids)
    .whereNotNull('reference')
    .patch({ reference: null })
  return ids
}
