import { type AttributedSales, sumAttributedSales } from '#shared/orders/figures/attributed-sales.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { countVisits } from '#shared/visits/count-visits.ts'
import type { Campaign } from './campaign.ts'

/** A campaign with its visits and sales of all time. */
export interface CampaignWithFigures extends AttributedSales {
  campaign: Campaign
  visits: number
}

/** Adds visits and sales to campaigns, with two queries. */
export async function withFigures(tx: StoreTx, campaigns: Campaign[]): Promise<CampaignWithFigures[]> {
  const ids = campaigns.map(({ id }) => id)
  const visits = await countVisits(tx, ids)
  const sales = await sumAttributedSales(tx, 'campaign_id', ids)
  return campaigns.map((campaign) => ({
    campaign,
    visits: visits.get(campaign.id) ?? 0,
    ...(sales.get(campaign.id) ?? { orders: 0, revenueMinor: 0n }),
  }))
}

/** Adds visits and sales to one campaign. */
export async function withFiguresOf(tx: StoreTx, campaign: Campaign): Promise<CampaignWithFigures> {
  const [figured] = await withFigures(tx, [campaign])
  return figured as CampaignWithFigures
}

/** Adds visits and sales to a page of campaigns. */
export const pageWithFigures = async (
  tx: StoreTx,
  { results, total }: Page<Campaign>,
): Promise<Page<CampaignWithFigures>> => ({ results: await withFigures(tx, results), total })
