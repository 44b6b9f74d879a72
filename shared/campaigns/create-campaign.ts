import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertCampaignPeriod, Campaign, type CampaignInput, saveCampaignCode } from './campaign.ts'

export type NewCampaign = Pick<CampaignInput, 'name' | 'code'> & Partial<CampaignInput>

const DEFAULTS = { description: null, landingUrl: null, isActive: true, startsAt: null, endsAt: null }

/** Creates a campaign. Throws `campaign.code_taken`, and 422 for an end before the start. */
export async function createCampaign(tx: StoreTx, given: NewCampaign): Promise<Campaign> {
  const input = { ...DEFAULTS, ...given }
  assertCampaignPeriod(input)
  const at = now()
  const campaign = await Campaign.in(tx).insert({ ...input, createdAt: at, updatedAt: at, deletedAt: null })
  await saveCampaignCode(tx, campaign)
  return campaign
}
