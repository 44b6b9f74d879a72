import type { Static } from 'typebox'
import { omitUndefined, toDate, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import { inQuery, invalidQuery } from '#api/platform/input/request-part.ts'
import type { AdminProductFilter } from '#shared/catalog/find-products.ts'
import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import { MAX_LIST_DEPTH } from '#shared/catalog/storefront/list-products.ts'
import type { ProductFilter } from '#shared/catalog/storefront/product-filter.ts'
import type { AdminProductQuery, ProductListQuery } from './query-schemas.ts'

// A UUID's 36 characters, a colon, the value.
const toAttributeValue = (choice: string): AttributeValue => ({
  attributeId: choice.slice(0, 36),
  value: choice.slice(37),
})

/** A visitor's filters in the domain's terms. */
export function toProductFilter(query: Static<typeof ProductListQuery>, currency: string): ProductFilter {
  const minor = (field: 'price_min' | 'price_max') =>
    inQuery(() => toMinorIfPresent(query[field], currency, [field]))
  return omitUndefined({
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
  omitUndefined({
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
  if (page * pageSize > MAX_LIST_DEPTH)
    throw invalidQuery('page', `Lists go to item ${MAX_LIST_DEPTH}. Narrow the list by filters.`, page)
  return { page, pageSize, sort }
}
