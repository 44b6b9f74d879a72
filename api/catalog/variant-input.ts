import type { Static } from 'typebox'
import { omitUndefined, toDateIfPresent, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import type { NewVariant } from '#shared/catalog/new-product.ts'
import type { VariantChanges } from '#shared/catalog/variants/update-variant.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { VariantChangeRequest, VariantRequest } from './variant-schemas.ts'

/** A variant as it was asked for; `at` says where it stands in the request. */
export function toNewVariant(
  variant: Static<typeof VariantRequest>,
  currency: string,
  at: (string | number)[] = [],
): NewVariant {
  const { saleStartsAt = null, saleEndsAt = null, ...given } = toVariantChanges(variant, currency, at)
  if (saleStartsAt && saleEndsAt && saleEndsAt <= saleStartsAt)
    throw invalid([...at, 'sale_ends_at'], 'A sale ends after it starts', variant.sale_ends_at)
  return {
    optionValues: {},
    priceMinor: null,
    salePriceMinor: null,
    barcode: null,
    weightGrams: null,
    backorder: false,
    isActive: true,
    ...given,
    saleStartsAt,
    saleEndsAt,
    sku: variant.sku,
    stockOnHand: variant.stock_on_hand ?? 0,
  }
}

/** The changes of a variant that a request asks for; what it leaves out is left out. */
export function toVariantChanges(
  variant: Static<typeof VariantChangeRequest>,
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
  })
}
