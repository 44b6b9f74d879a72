import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { TrackingCode } from '#api/visits/schemas.ts'
import { CAMPAIGNS } from '#shared/campaigns/list-campaigns.ts'
import { DateRangeQuery } from '#shared/platform/http/query-parameters.ts'
import { Changes, Clearable, Line, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { WebUrl } from '#shared/platform/http/web-url.ts'

export const CampaignParams = Shape({ id: Uuid })

const optional = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 2_000 }))),
  landing_url: Type.Optional(Clearable(WebUrl)),
  is_active: Type.Optional(Type.Boolean()),
  starts_at: Type.Optional(Nullable(Timestamp)),
  ends_at: Type.Optional(Nullable(Timestamp)),
}

export const CreateCampaignRequest = Shape({ name: Line(200), code: TrackingCode, ...optional })

export const UpdateCampaignRequest = Changes(CreateCampaignRequest.properties)

export const CampaignListQuery = listQuery(CAMPAIGNS)

export const StatsQuery = Shape({
  ...DateRangeQuery({
    from: 'Default: 29 days before `date_to`',
    to: "Inclusive; default: today, in the store's time zone",
  }),
})
