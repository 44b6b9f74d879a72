import { type Static, Type } from 'typebox'
import { Money, Nullable, Shape, Timestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { PriceRule } from './price-rule.ts'

export const PriceRuleKind = Type.Enum(['special', 'quantity'])

export const PriceRuleView = Shape({
  kind: PriceRuleKind,
  min_quantity: Type.Integer({
    description: 'Units of one line from which on it applies; 1 for a special price',
  }),
  price: Money,
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
})

export const viewPriceRule = (
  { minQuantity, priceMinor, startsAt, endsAt }: PriceRule,
  currency: string,
): Static<typeof PriceRuleView> => ({
  kind: minQuantity === 1 ? 'special' : 'quantity',
  min_quantity: minQuantity,
  price: toMajor(priceMinor, currency),
  starts_at: toTimestampOrNull(startsAt),
  ends_at: toTimestampOrNull(endsAt),
})
