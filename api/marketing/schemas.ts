import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { CAMPAIGNS } from '#shared/marketing/list-campaigns.ts'
import { Clearable, Line, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { WebUrl } from '#shared/platform/http/web-url.ts'

const MAX_CODE_LENGTH = 64
const MAX_URL_LENGTH = 2_000
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** The storefront's own id of a visitor. */
export const VisitorId = Type.String({
  ...Line(200),
  description: 'A random text that the storefront keeps for the visitor',
})

/** A code that a link carries: any text, so that an unknown one is no error. */
export const LinkCode = Type.String({
  ...Line(200),
  description: 'The code of the link. Case does not count',
})

export const TrackVisitRequest = Shape({
  code: LinkCode,
  url: Text(MAX_URL_LENGTH),
  referrer: Text(MAX_URL_LENGTH),
  utm: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z_]{1,40}$' }), Type.String({ maxLength: 200 }), {
      additionalProperties: false,
      maxProperties: 10,
    }),
  ),
  visitor_id: Type.Optional(VisitorId),
})

export const CampaignParams = Shape({ id: Uuid })

/** The code of a campaign or an affiliate. */
export const TrackingCode = Type.String({
  pattern: '^[^\\s\\p{C}]+$',
  maxLength: MAX_CODE_LENGTH,
  description:
    'Without blanks; case does not count. Campaigns and affiliates of a store have different codes',
})

const optional = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 2_000 }))),
  landing_url: Type.Optional(Clearable(WebUrl(MAX_URL_LENGTH))),
  is_active: Type.Optional(Type.Boolean()),
  starts_at: Type.Optional(Nullable(Timestamp)),
  ends_at: Type.Optional(Nullable(Timestamp)),
}

export const CreateCampaignRequest = Shape({ name: Line(200), code: TrackingCode, ...optional })

export const ChangeCampaignRequest = Shape(
  { name: Type.Optional(Line(200)), code: Type.Optional(TrackingCode), ...optional },
  { minProperties: 1 },
)

export const CampaignListQuery = listQuery(CAMPAIGNS, { is_active: Type.Optional(Type.Boolean()) })

export const StatsQuery = Shape({
  date_from: Type.Optional(Type.String({ format: 'date', description: 'Default: 29 days before `date_to`' })),
  date_to: Type.Optional(
    Type.String({ format: 'date', description: "Inclusive; default: today in the store's time zone" }),
  ),
})
