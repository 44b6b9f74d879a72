import { Type } from 'typebox'
import { Email, Line, Money, Shape } from '#shared/platform/schema.ts'

const Language = Type.String({ pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$', description: 'BCP 47' })
const TEN_YEARS_SECONDS = 10 * 366 * 24 * 3600

export const SettingsChanges = Shape(
  {
    name: Type.Optional(Line(200)),
    email: Type.Optional(Email),
    languages: Type.Optional(Type.Array(Language, { minItems: 1, maxItems: 30 })),
    default_language: Type.Optional(Language),
    time_zone: Type.Optional(Line(64)),
    guest_checkout_enabled: Type.Optional(Type.Boolean()),
    min_order_total: Type.Optional(Money),
    stock_hold_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: TEN_YEARS_SECONDS,
        description: 'How long a checkout keeps its stock',
      }),
    ),
    unpaid_order_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: TEN_YEARS_SECONDS,
        description: 'When an unpaid online order fails',
      }),
    ),
  },
  { minProperties: 1 },
)
