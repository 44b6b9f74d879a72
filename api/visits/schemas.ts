import { Type } from 'typebox'
import { Line, Shape } from '#shared/platform/http/schema.ts'
import { MAX_URL_LENGTH } from '#shared/platform/http/web-url.ts'

const MAX_CODE_LENGTH = 64
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** The storefront's own id of a visitor. */
export const VisitorId = Type.String({
  ...Line(200),
  description: 'A random text that the storefront keeps for the visitor',
})

/** The code in a link. Any text is accepted, so that an unknown code is no error. */
export const LinkCode = Type.String({
  ...Line(200),
  description: 'The code of the link, case-insensitive',
})

/** The code of a campaign or an affiliate. */
export const TrackingCode = Type.String({
  pattern: '^[^\\s\\p{C}]+$',
  maxLength: MAX_CODE_LENGTH,
  description: 'Without blanks; case-insensitive. Campaigns and affiliates of a store have different codes',
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
