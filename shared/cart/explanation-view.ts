import { type Static, Type } from 'typebox'
import { PRICE_KINDS } from '#shared/catalog/prices/price-candidates.ts'
import { Money, Nullable, Shape, Timestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { type JudgedPrice, PRICE_REASONS } from './explain-prices.ts'

export const PriceExplanation = Shape({
  kind: Type.Enum([...PRICE_KINDS]),
  price: Money,
  min_quantity: Type.Integer(),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  applied: Type.Boolean({ description: 'Whether it is the unit price' }),
  reason: { ...Nullable(Type.Enum([...PRICE_REASONS])), description: 'Why it is not' },
})

export const viewPrice = (judged: JudgedPrice, currency: string): Static<typeof PriceExplanation> => ({
  kind: judged.kind,
  price: toMajor(judged.priceMinor, currency),
  min_quantity: judged.minQuantity,
  starts_at: toTimestampOrNull(judged.startsAt),
  ends_at: toTimestampOrNull(judged.endsAt),
  applied: judged.reason === null,
  reason: judged.reason,
})
