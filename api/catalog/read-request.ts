import type { Static } from 'typebox'
import type { AdminProductFilter } from '#shared/catalog/find-products.ts'
import { DEEPEST_ITEM } from '#shared/catalog/list-products.ts'
import type { PriceRule } from '#shared/catalog/price-rule.ts'
import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import type { ProductDraft, VariantDraft } from '#shared/catalog/product-draft.ts'
import type { ProductFilter } from '#shared/catalog/product-filter.ts'
import type { ProductChanges } from '#shared/catalog/update-product.ts'
import type { StockAdjustment } from '#shared/catalog/variants/adjust-stock.ts'
import type { VariantChanges } from '#shared/catalog/variants/change-variant.ts'
import { toMinor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type {
  AdjustStockRequest,
  AdminProductQuery,
  CreateProductRequest,
  ProductListQuery,
  UpdateProductRequest,
  VariantChangeRequest,
} from './schemas.ts'

type ProductRequest = Static<typeof CreateProductRequest>
type VariantRequest = NonNullable<ProductRequest['variants']>[number]

/** A product as it was asked for, in the domain's terms: minor units, absent fields at their defaults. */
export function toProductDraft(body: ProductRequest, currency: string): ProductDraft {
  return {
    ...(body.slug === undefined ? {} : { slug: body.slug }),
    sku: body.sku ?? null,
    nameI18n: body.name_i18n,
    descriptionI18n: body.description_i18n ?? {},
    seo: body.seo ?? {},
    manufacturerId: body.manufacturer_id ?? null,
    taxClassId: body.tax_class_id ?? null,
    stockStatusId: body.stock_status_id ?? null,
    categoryIds: body.category_ids ?? [],
    priceMinor: toMinor(body.price, currency, ['body', 'price']),
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
    variants: (body.variants ?? []).map((variant, i) =>
      toVariantDraft(variant, currency, ['body', 'variants', i]),
    ),
  }
}

/** A variant as it was asked for; `at` says where it stands in the request. */
export function toVariantDraft(
  variant: VariantRequest,
  currency: string,
  at: (string | number)[] = ['body'],
): VariantDraft {
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
  at: (string | number)[] = ['body'],
): VariantChanges {
  const minor = (field: 'price' | 'sale_price') => {
    const amount = variant[field]
    return amount === undefined || amount === null ? amount : toMinor(amount, currency, [...at, field])
  }
  return withoutAbsent({
    sku: variant.sku,
    optionValues: variant.option_values,
    priceMinor: minor('price'),
    salePriceMinor: minor('sale_price'),
    saleStartsAt: toDateIfGiven(variant.sale_starts_at),
    saleEndsAt: toDateIfGiven(variant.sale_ends_at),
    barcode: variant.barcode,
    weightGrams: variant.weight,
    backorder: variant.backorder,
    isActive: variant.is_active,
  })
}

/** Units that came or went, or that were counted: one of the two. */
export function toAdjustment(body: Static<typeof AdjustStockRequest>): StockAdjustment {
  const { delta, stock_on_hand: stockOnHand, note = null } = body
  if (delta !== undefined && stockOnHand === undefined) return { delta, note }
  if (stockOnHand !== undefined && delta === undefined) return { stockOnHand, note }
  throw invalid(['body'], 'Give either delta or stock_on_hand')
}

const toAttributeValues = (items: { attribute_id: string; value: string }[]): AttributeValue[] =>
  items.map(({ attribute_id, value }) => ({ attributeId: attribute_id, value }))

const toPriceRules = (rules: NonNullable<ProductRequest['price_rules']>, currency: string): PriceRule[] =>
  rules.map(({ kind, min_quantity, price, starts_at, ends_at }, i) => {
    const at = ['body', 'price_rules', i]
    const minQuantity = min_quantity ?? 1
    if ((kind === 'special') !== (minQuantity === 1))
      throw invalid(
        [...at, 'min_quantity'],
        'A special price is for 1 unit, a quantity discount for 2 at least',
      )
    return {
      minQuantity,
      priceMinor: toMinor(price, currency, [...at, 'price']),
      startsAt: toDate(starts_at),
      endsAt: toDate(ends_at),
    }
  })

const toDateIfGiven = (text: string | null | undefined): Date | null | undefined =>
  text === undefined ? undefined : toDate(text)

const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

/** The changes that a request asks for, in the domain's terms; what it leaves out is left out. */
export function toProductChanges(
  body: Static<typeof UpdateProductRequest>,
  currency: string,
): ProductChanges {
  return withoutAbsent({
    slug: body.slug,
    sku: body.sku,
    nameI18n: body.name_i18n,
    descriptionI18n: body.description_i18n,
    seo: body.seo,
    manufacturerId: body.manufacturer_id,
    taxClassId: body.tax_class_id,
    stockStatusId: body.stock_status_id,
    categoryIds: body.category_ids,
    priceMinor: body.price === undefined ? undefined : toMinor(body.price, currency, ['body', 'price']),
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
  })
}

// A UUID's 36 characters, a colon, the value.
const toAttributeValue = (choice: string): AttributeValue => ({
  attributeId: choice.slice(0, 36),
  value: choice.slice(37),
})

/** A visitor's filters in the domain's terms. */
export function toProductFilter(query: Static<typeof ProductListQuery>, currency: string): ProductFilter {
  const minor = (field: 'price_min' | 'price_max') => {
    const amount = query[field]
    return amount === undefined ? undefined : toMinor(amount, currency, ['query', field])
  }
  return withoutAbsent({
    q: query.q,
    category: query.category,
    manufacturerId: query.manufacturer,
    tag: query.tag,
    priceMinMinor: minor('price_min'),
    priceMaxMinor: minor('price_max'),
    inStock: query.in_stock,
    attributes: query.attribute === undefined ? undefined : [query.attribute].flat().map(toAttributeValue),
  })
}

/** The filters of staff in the domain's terms. */
export const toAdminProductFilter = (query: Static<typeof AdminProductQuery>): AdminProductFilter =>
  withoutAbsent({
    q: query.q,
    isActive: query.is_active,
    deleted: query.deleted,
    categoryId: query.category_id,
    sku: query.sku,
    createdFrom: toDate(query.created_from) ?? undefined,
    createdTo: toDate(query.created_to) ?? undefined,
  })

/** A page's place, refused (422) past the deepest item that lists go to: filters lead to what lies deeper. */
export function toPage<S extends string>(query: { page: number; page_size: number; sort: S }) {
  const { page, page_size: pageSize, sort } = query
  if (page * pageSize > DEEPEST_ITEM)
    throw invalid(['query', 'page'], `Lists go to item ${DEEPEST_ITEM}. Narrow the list by filters.`, page)
  return { page, pageSize, sort }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const withoutAbsent = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
