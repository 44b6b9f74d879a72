import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { releaseTrackingCode } from '#shared/visits/tracking-code.ts'
import { Campaign, lockCampaign } from './campaign.ts'

/** Deletes a campaign and releases its code. Its orders and visits stay for reports. Throws `resource.not_found`. */
export async function deleteCampaign(tx: StoreTx, id: string): Promise<void> {
  const campaign = await lockCampaign(tx, id)
  const at = nextUpdatedAt(campaign)
  await Campaign.in(tx).findById(id).patch({ deletedAt: at, updatedAt: at, isActive: false })
  await releaseTrackingCode(tx, id)
}
