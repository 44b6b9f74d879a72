import { Type } from 'typebox'
import { Clearable, Line, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { CONNECTION_DEFAULTS as DEFAULTS } from '#shared/remote-catalog/connection/replace-connection.ts'

export const RemoteSettingsRequest = Shape({
  base_url: Clearable(
    Type.String({
      maxLength: 2_048,
      description: 'https, a public host, port 443 or 8443; empty disconnects the store',
    }),
  ),
  api_key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,500}$',
      description: 'When omitted, the saved key is kept; another host requires the key',
    }),
  ),
  requests_per_second: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 100,
      default: DEFAULTS.requestsPerSecond,
      description: "The external system's limit for the API key",
    }),
  ),
  burst: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: DEFAULTS.burst,
      description: 'The number of requests that the external system accepts in a burst',
    }),
  ),
  shared_with_till: Type.Optional(
    Type.Boolean({
      default: DEFAULTS.sharedWithTill,
      description: 'Whether the physical till uses the same key',
    }),
  ),
  till_reserve_percent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 90,
      default: DEFAULTS.tillReservePercent,
      description: 'The share of the limit that is reserved for the till',
    }),
  ),
})

const ItemId = Type.String({
  minLength: 1,
  maxLength: 200,
  // An id must not be . or .., because URL parsers resolve these path segments.
  pattern: '^(?!\\.{1,2}$)[^\\p{Cc}]+$',
  description: 'Id in the external system',
})

export const RemoteItemParams = Shape({ id: ItemId })

export const RemoteCatalogQuery = Shape({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Words to search for' })),
  category_id: Type.Optional({ ...Line(200), description: 'Id in the external system' }),
  is_active: Type.Optional(Type.Boolean()),
  updated_since: Type.Optional({ ...Timestamp, description: 'Changed at or after this time' }),
})

export const RemoteLinkRequest = Shape({ item_id: ItemId, product_id: Uuid })
export const RemoteLinkParams = Shape({ id: Uuid })
