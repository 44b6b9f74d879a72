import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { Campaign, lockCampaign } from './campaign.ts'
import { CampaignErrors } from './errors.ts'
import { saveTrackingCode } from './tracking-code.ts'

/** The input of staff. */
export type CampaignInput = Pick<
  Campaign,
  'name' | 'code' | 'description' | 'landingUrl' | 'isActive' | 'startsAt' | 'endsAt'
>

export type NewCampaign = Pick<CampaignInput, 'name' | 'code'> & Partial<CampaignInput>

const DEFAULTS = { description: null, landingUrl: null, isActive: true, startsAt: null, endsAt: null }

/** Creates a campaign. Throws `campaign.code_taken`, and 422 for an end before the start. */
export async function createCampaign(tx: StoreTx, given: NewCampaign): Promise<Campaign> {
  const input = { ...DEFAULTS, ...given }
  assertPeriod(input)
  const at = now()
  const campaign = await Campaign.in(tx).insert({ ...input, createdAt: at, updatedAt: at, deletedAt: null })
  await saveCode(tx, campaign)
  return campaign
}

/**
 * Updates a campaign; absent fields stay. Its visits and orders stay with it when its code changes. Throws
 * `resource.not_found`, `resource.changed` when `ifMatch` is an earlier state, `campaign.code_taken`, and 422 for an
 * end before the start.
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
  assertPeriod(updated)
  await Campaign.in(tx).findById(id).patch(changed)
  await saveCode(tx, updated)
  return updated
}

function assertPeriod({ startsAt, endsAt }: Pick<CampaignInput, 'startsAt' | 'endsAt'>): void {
  if (startsAt && endsAt && endsAt <= startsAt)
    throw invalid(['ends_at'], 'The end must be after the start', endsAt.toISOString())
}

async function saveCode(tx: StoreTx, { id, code, isActive, startsAt, endsAt }: Campaign): Promise<void> {
  const link = { id, kind: 'campaign', code, customerId: null, isActive, startsAt, endsAt } as const
  if (!(await saveTrackingCode(tx, link))) throw CampaignErrors.codeTaken({ code })
}
