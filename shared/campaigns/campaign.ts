import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { assertEndsAfter } from '#shared/platform/validation.ts'
import { saveTrackingCode } from '#shared/visits/tracking-code.ts'
import { CampaignErrors } from './errors.ts'

/** A campaign whose links carry its code. */
export class Campaign extends StoreModel {
  static override tableName = 'campaigns'

  declare name: string
  declare code: string
  declare description: string | null
  declare landingUrl: string | null
  declare isActive: boolean
  declare startsAt: Date | null
  /** Exclusive. */
  declare endsAt: Date | null
  /** Visits and orders change neither `updatedAt` nor the entity tag. */
  declare createdAt: Date
  declare updatedAt: Date
  /** The time of the deletion. The row stays for orders and reports. */
  declare deletedAt: Date | null
}

/** Returns a campaign of the store. Throws `resource.not_found`, also for a deleted one. */
export const findCampaign = async (tx: StoreTx, id: string): Promise<Campaign> =>
  assertFound(await Campaign.in(tx).findById(id).whereNull('deleted_at'))

/** Reads and locks a campaign. Throws `resource.not_found`. */
export const lockCampaign = async (tx: StoreTx, id: string): Promise<Campaign> =>
  assertFound(await Campaign.in(tx).findById(id).whereNull('deleted_at').forNoKeyUpdate())

/** The input of staff. */
export type CampaignInput = Pick<
  Campaign,
  'name' | 'code' | 'description' | 'landingUrl' | 'isActive' | 'startsAt' | 'endsAt'
>

/** Throws 422 for an end before the start. */
export function assertCampaignPeriod({ startsAt, endsAt }: Pick<CampaignInput, 'startsAt' | 'endsAt'>): void {
  assertEndsAfter(['ends_at'], startsAt, endsAt)
}

/** Saves the campaign's code with the period in which its links count. Throws `campaign.code_taken`. */
export async function saveCampaignCode(
  tx: StoreTx,
  { id, code, isActive, startsAt, endsAt }: Campaign,
): Promise<void> {
  const link = { id, kind: 'campaign', code, customerId: null, isActive, startsAt, endsAt } as const
  if (!(await saveTrackingCode(tx, link))) throw CampaignErrors.codeTaken({ code })
}
