import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import {
  assertCampaignPeriod,
  Campaign,
  type CampaignInput,
  lockCampaign,
  saveCampaignCode,
} from './campaign.ts'

/**
 * Updates a campaign; absent fields stay. It keeps its visits and orders if its code changes. Throws
 * `resource.not_found`, `resource.changed` if `ifMatch` is outdated, `campaign.code_taken`, and 422 for an end before
 * the start.
 */
export async function updateCampaign(
  tx: StoreTx,
  id: string,
  changes: Partial<CampaignInput>,
  ifMatch?: string,
): Promise<Campaign> {
  const campaign = await lockCampaign(tx, id)
  assertUnchanged(campaign, ifMatch)
  const changed = { ...changes, updatedAt: nextUpdatedAt(campaign) }
  const updated = campaign.with(changed)
  assertCampaignPeriod(updated)
  await Campaign.in(tx).findById(id).patch(changed)
  await saveCampaignCode(tx, updated)
  return updated
}
