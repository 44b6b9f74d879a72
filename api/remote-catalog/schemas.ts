import { Type } from 'typebox'
import { Line, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { CONNECTION_DEFAULTS as DEFAULTS } from '#shared/remote-catalog/save-connection.ts'

export const RemoteSettingsRequest = Shape({
  base_url: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'https, a public host, port 443 or 8443; null disconnects the store',
    }),
  ),
  api_key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,500}$',
      description: 'Left out, the one there is stays; another host needs it anew',
    }),
  ),
  requests_per_second: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 100,
      default: DEFAULTS.requestsPerSecond,
      description: 'What the external system allows the API key, whoever uses it',
    }),
  ),
  burst: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: DEFAULTS.burst,
      description: 'Requests that it takes at once after a pause',
    }),
  ),
  shared_with_till: Type.Optional(
    Type.Boolean({
      default: DEFAULTS.sharedWithTill,
      description: 'The physical till uses the same key',
    }),
  ),
  till_reserve_percent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 90,
      default: DEFAULTS.tillReservePercent,
      description: 'How much of what the key allows is left to that till, when it is shared',
    }),
  ),
})

const ItemId = Type.String({
  minLength: 1,
  maxLength: 200,
  // A step that is nothing but dots leads elsewhere in an address.
  pattern: '^(?!\\.{1,2}$)[^\\p{Cc}]+$',
  description: "The external system's own",
})

export const RemoteItemParams = Shape({ id: ItemId })

export const RemoteCatalogQuery = Shape({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Words to search for' })),
  category_id: Type.Optional({ ...Line(200), description: "The external system's own" }),
  is_active: Type.Optional(Type.Boolean()),
  updated_since: Type.Optional({ ...Timestamp, description: 'Changed at that moment or later' }),
})

export const RemoteLinkRequest = Shape({ item_id: ItemId, product_id: Uuid })
export const RemoteLinkParams = Shape({ id: Uuid })
