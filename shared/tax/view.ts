import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { toPercent } from './percent.ts'
import type { TaxPart } from './tax-calculator.ts'
import type { TaxClass } from './tax-class.ts'
import type { TaxRate } from './tax-rate.ts'

export const TaxClassView = Shape({
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  is_default: Type.Boolean({ description: 'Applies to products and shipping methods without a tax class' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewTaxClass = (taxClass: TaxClass): Static<typeof TaxClassView> => ({
  id: taxClass.id,
  name: taxClass.name,
  description: taxClass.description,
  is_default: taxClass.isDefault,
  created_at: toTimestamp(taxClass.createdAt),
  updated_at: toTimestamp(taxClass.updatedAt),
})

export const TaxRateView = Shape({
  id: Uuid,
  name: Type.String(),
  percent: Type.Number({ description: 'At most four decimals' }),
  tax_class_id: Uuid,
  geo_zone_id: { ...Nullable(Uuid), description: 'Null: everywhere' },
  priority: Type.Integer(),
  is_compound: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewTaxRate = (rate: TaxRate): Static<typeof TaxRateView> => ({
  id: rate.id,
  name: rate.name,
  percent: toPercent(rate.ratePpm),
  tax_class_id: rate.taxClassId,
  geo_zone_id: rate.geoZoneId,
  priority: rate.priority,
  is_compound: rate.isCompound,
  created_at: toTimestamp(rate.createdAt),
  updated_at: toTimestamp(rate.updatedAt),
})

/** Whether the prices of a cart or an order include tax. */
export const PricesIncludeTax = Type.Boolean({
  description:
    'Whether prices, discounts and shipping include the tax. The total is subtotal - discount + shipping, and the ' +
    'tax is added to it only when they do not',
})

export const TaxPartView = Shape({
  name: Type.String(),
  percent: Type.Number(),
  net_amount: { ...Money, description: 'The taxed amount, without tax' },
  amount: Money,
})

/** Returns the tax of one rate in a cart or an order. */
export const viewTaxPart = (
  { name, ratePpm, taxMinor, netMinor }: Omit<TaxPart, 'taxClassId' | 'geoZoneId'>,
  currency: string,
): Static<typeof TaxPartView> => ({
  name,
  percent: toPercent(ratePpm),
  net_amount: toMajor(netMinor, currency),
  amount: toMajor(taxMinor, currency),
})
