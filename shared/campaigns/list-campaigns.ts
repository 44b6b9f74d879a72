import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Campaign } from './campaign.ts'

export const CAMPAIGNS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', name: 'lower(name)', code: 'lower(code)' },
  order: '-created_at',
  searches: 'Part of a name or a code',
  text: ['name', 'code'],
  filters: {
    is_active: Type.Optional(Type.Boolean()),
  },
})

export type CampaignFilter = FilterOf<typeof CAMPAIGNS>

/** Returns one page of the matching campaigns, inactive ones included, and their number. */
export function listCampaigns(tx: StoreTx, filter: CampaignFilter) {
  const query = Campaign.in(tx).whereNull('deleted_at')
  if (filter.is_active !== undefined) query.where('is_active', filter.is_active)
  return CAMPAIGNS.page(query, filter)
}
