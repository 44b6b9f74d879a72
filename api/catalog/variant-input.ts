import { type Static, Type } from 'typebox'
import { Stock } from '#api/inventory/schemas.ts'
import { omitUndefined, toDateIfPresent, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { NewVariant } from '#shared/catalog/new-product.ts'
import { VariantView } from '#shared/catalog/variant-view.ts'
import type { VariantChanges } from '#shared/catalog/variants/update-variant.ts'
import { MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import {
  Clearable,
  Line,
  MAX_INT4,
  Money,
  Nullable,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { assertEndsAfter } from '#shared/platform/validation.ts'

export const Sku = Line(100)
export const OptionName = Line(100)
export const Grams = Type.Integer({ minimum: 0, maximum: MAX_INT4, description: 'Grams' })

const variantFields = {
  option_values: Type.Optional(
    Type.Record(Type.String({ pattern: '^[\\s\\S]{1,100}$' }), OptionName, {
      additionalProperties: false,
      maxProperties: 10,
    }),
  ),
  price: Type.Optional(VariantView.properties.price),
  sale_price: Type.Optional(Nullable(Money)),
  sale_starts_at: Type.Optional(Nullable(Timestamp)),
  sale_ends_at: Type.Optional(Nullable(Timestamp)),
  barcode: Type.Optional(Clearable(Line(100))),
  weight: Type.Optional(Nullable(Grams)),
  backorder: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(MetadataChange),
}

/** The fields of a sale. A support session cannot set them, because a sale can start after the session ends. */
export const SALE_FIELDS = ['sale_price', 'sale_starts_at', 'sale_ends_at'] as const

export const VariantRequest = Shape({ sku: Sku, ...variantFields, stock_on_hand: Type.Optional(Stock) })

export const UpdateVariantRequest = Shape({ sku: Type.Optional(Sku), ...variantFields })

export const VariantParams = Shape({ product_id: Uuid, variant_id: Uuid })

/** Returns the new variant of a request. `at` is the path of the variant in the body. */
export function toNewVariant(
  variant: Static<typeof VariantRequest>,
  currency: string,
  at: (string | number)[] = [],
): NewVariant {
  const {
    saleStartsAt = null,
    saleEndsAt = null,
    metadata,
    ...given
  } = toVariantChanges(variant, currency, at)
  assertEndsAfter([...at, 'sale_ends_at'], saleStartsAt, saleEndsAt)
  return {
    optionValues: {},
    priceMinor: null,
    salePriceMinor: null,
    barcode: null,
    weightGrams: null,
    backorder: false,
    isActive: true,
    ...given,
    metadata: mergeMetadata({}, metadata),
    saleStartsAt,
    saleEndsAt,
    sku: variant.sku,
    stockOnHand: variant.stock_on_hand ?? 0,
  }
}

/** Returns the changes of a variant in a request; omitted fields are absent. */
export function toVariantChanges(
  variant: Static<typeof UpdateVariantRequest>,
  currency: string,
  at: (string | number)[] = [],
): VariantChanges {
  const minor = (field: 'price' | 'sale_price') => toMinorIfPresent(variant[field], currency, [...at, field])
  return omitUndefined({
    sku: variant.sku,
    optionValues: variant.option_values,
    priceMinor: minor('price'),
    salePriceMinor: minor('sale_price'),
    saleStartsAt: toDateIfPresent(variant.sale_starts_at),
    saleEndsAt: toDateIfPresent(variant.sale_ends_at),
    barcode: variant.barcode,
    weightGrams: variant.weight,
    backorder: variant.backorder,
    isActive: variant.is_active,
    metadata: variant.metadata,
  })
}
