import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { VISITS_DESCRIPTION } from '#shared/visits/count-visits.ts'
import type { CampaignWithFigures } from './campaign-figures.ts'
import type { CampaignFigures, CampaignStats } from './read-campaign-stats.ts'

export const Visits = Type.Integer({ description: VISITS_DESCRIPTION })
export const Orders = Type.Integer({ description: 'Orders that were paid, or are processing or further' })
export const Revenue = {
  ...Money,
  description: 'What these orders have paid, less refunds, in major units',
}

export const CampaignView = Shape({
  id: Uuid,
  name: Type.String(),
  code: Type.String(),
  description: Type.String(),
  landing_url: Type.String(),
  is_active: Type.Boolean(),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable({ ...Timestamp, description: 'Exclusive' }),
  visits: Visits,
  orders: Orders,
  revenue: Revenue,
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewCampaign = (
  { campaign, visits, orders, revenueMinor }: CampaignWithFigures,
  currency: string,
): Static<typeof CampaignView> => ({
  id: campaign.id,
  name: campaign.name,
  code: campaign.code,
  description: toText(campaign.description),
  landing_url: toText(campaign.landingUrl),
  is_active: campaign.isActive,
  starts_at: toTimestampOrNull(campaign.startsAt),
  ends_at: toTimestampOrNull(campaign.endsAt),
  visits,
  orders,
  revenue: toMajor(revenueMinor, currency),
  created_at: toTimestamp(campaign.createdAt),
  updated_at: toTimestamp(campaign.updatedAt),
})

const Day = Type.String({ format: 'date', description: "In the store's time zone" })
const Figures = {
  visits: Visits,
  orders: Orders,
  revenue: Revenue,
  conversion: Type.Number({ minimum: 0, description: 'Orders for each visit; 0 without visits' }),
}

export const CampaignStatsView = Shape({
  date_from: Day,
  date_to: Day,
  currency: CurrencyCode,
  visitors: Type.Integer({
    description:
      'Different visitors in the period. One without a `visitor_id` is another one on each day, and one who returns ' +
      'after more than 30 days counts again',
  }),
  ...Figures,
  days: Type.Array(Shape({ date: Day, ...Figures })),
})

export const viewCampaignStats = (
  stats: CampaignStats,
  { from, to }: { from: string; to: string },
  currency: string,
): Static<typeof CampaignStatsView> => ({
  date_from: from,
  date_to: to,
  currency,
  visitors: stats.visitors,
  ...viewFigures(stats, currency),
  days: stats.days.map(({ day, ...figures }) => ({ date: day, ...viewFigures(figures, currency) })),
})

const viewFigures = ({ visits, orders, revenueMinor }: CampaignFigures, currency: string) => ({
  visits,
  orders,
  revenue: toMajor(revenueMinor, currency),
  conversion: visits === 0 ? 0 : Number((orders / visits).toFixed(4)),
})
