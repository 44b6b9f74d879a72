import type { Static } from 'typebox'
import { lowercaseId, omitUndefined, toDate, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { NewProduct } from '#shared/catalog/new-product.ts'
import { type PriceRule, priceRuleKind } from '#shared/catalog/price-rule.ts'
import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import { assertNamedVariantCount } from '#shared/catalog/product-image.ts'
import type { ProductChanges } from '#shared/catalog/products/update-product.ts'
import { mergeMetadata } from '#shared/platform/http/metadata.ts'
import { toMinor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { CreateProductRequest, UpdateProductRequest } from './schemas.ts'
import { toNewVariant } from './variant-input.ts'

type ProductRequest = Static<typeof CreateProductRequest>

/** Returns the new product of a request, with amounts in minor units and defaults of absent fields. */
export function toNewProduct(body: ProductRequest, currency: string): NewProduct {
  assertNamedVariantCount((body.images ?? []).map(({ variant_skus = [] }) => variant_skus))
  return {
    ...(body.slug === undefined ? {} : { slug: body.slug }),
    sku: body.sku ?? null,
    nameI18n: body.name_i18n,
    descriptionI18n: body.description_i18n ?? {},
    seo: body.seo ?? {},
    manufacturerId: lowercaseId(body.manufacturer_id) ?? null,
    taxClassId: lowercaseId(body.tax_class_id) ?? null,
    stockStatusId: lowercaseId(body.stock_status_id) ?? null,
    categoryIds: body.category_ids ?? [],
    priceMinor: toMinor(body.price, currency, ['price']),
    weightGrams: body.weight ?? null,
    dimensions: body.dimensions ?? null,
    options: body.options ?? [],
    images: (body.images ?? []).map(({ url, alt = '', variant_skus = [] }) => ({
      url,
      alt,
      variantSkus: variant_skus,
    })),
    attributes: toAttributeValues(body.attributes ?? []),
    priceRules: toPriceRules(body.price_rules ?? [], currency),
    relatedIds: body.related_ids ?? [],
    tags: body.tags ?? [],
    isActive: body.is_active ?? true,
    metadata: mergeMetadata({}, body.metadata),
    variants: (body.variants ?? []).map((variant, i) => toNewVariant(variant, currency, ['variants', i])),
  }
}

const toAttributeValues = (items: { attribute_id: string; value: string }[]): AttributeValue[] =>
  items.map(({ attribute_id, value }) => ({ attributeId: attribute_id, value }))

const toPriceRules = (rules: NonNullable<ProductRequest['price_rules']>, currency: string): PriceRule[] =>
  rules.map(({ kind, min_quantity, price, starts_at, ends_at, customer_group_id }, i) => {
    const at = ['price_rules', i]
    const minQuantity = min_quantity ?? 1
    if (kind !== priceRuleKind(minQuantity))
      throw invalid(
        [...at, 'min_quantity'],
        'A special price applies from 1 unit, a quantity discount from at least 2',
      )
    return {
      minQuantity,
      priceMinor: toMinor(price, currency, [...at, 'price']),
      startsAt: toDate(starts_at),
      endsAt: toDate(ends_at),
      customerGroupId: lowercaseId(customer_group_id ?? null),
    }
  })

/** Returns the changes of a product in a request; omitted fields are absent. */
export function toProductChanges(
  body: Static<typeof UpdateProductRequest>,
  currency: string,
): ProductChanges {
  return omitUndefined({
    slug: body.slug,
    sku: body.sku,
    nameI18n: body.name_i18n,
    descriptionI18n: body.description_i18n,
    seo: body.seo,
    manufacturerId: lowercaseId(body.manufacturer_id),
    taxClassId: lowercaseId(body.tax_class_id),
    stockStatusId: lowercaseId(body.stock_status_id),
    categoryIds: body.category_ids,
    priceMinor: toMinorIfPresent(body.price, currency, ['price']),
    weightGrams: body.weight,
    dimensions: body.dimensions,
    options: body.options,
    images: body.images?.map(({ alt = '', variant_ids = [], ...image }) => ({
      ...image,
      alt,
      variantIds: variant_ids,
    })),
    attributes: body.attributes && toAttributeValues(body.attributes),
    priceRules: body.price_rules && toPriceRules(body.price_rules, currency),
    relatedIds: body.related_ids,
    tags: body.tags,
    isActive: body.is_active,
    metadata: body.metadata,
  })
}
