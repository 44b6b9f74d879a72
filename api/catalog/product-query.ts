import { type Static, Type } from 'typebox'
import { placeQuery } from '#api/geo/place-query.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { omitUndefined, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import { inQuery, invalidQuery } from '#api/platform/input/request-part.ts'
import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import { ADMIN_PRODUCTS, type AdminProductFilter } from '#shared/catalog/search/list-admin-products.ts'
import { MAX_LIST_DEPTH, PRODUCT_SORTS, type ProductPage } from '#shared/catalog/storefront/list-products.ts'
import type { ProductFilter } from '#shared/catalog/storefront/resolve-filter.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { CommaSeparated, PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Line, Money, Shape, Slug, Uuid } from '#shared/platform/http/schema.ts'

const Words = Type.String({ minLength: 1, maxLength: 200, description: 'Words to search for' })

const AttributeChoice = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:[\\s\\S]{1,255}$',
})

/** The place whose prices are shown. */
export const PlaceQuery = Shape(placeQuery)

export const ProductListQuery = Shape({
  ...placeQuery,
  ...PageQuery,
  sort: Type.Optional(
    Type.Enum([...PRODUCT_SORTS], { description: 'Default: with `q`, `relevance`; else `-created_at`' }),
  ),
  q: Type.Optional(Words),
  category: Type.Optional({ ...Slug, description: 'Slug of a category; its descendants are included' }),
  manufacturer: CommaSeparated(Uuid, 100, 'Ids of manufacturers'),
  ids: CommaSeparated(Uuid, 100, 'Ids of products'),
  sku: CommaSeparated(Line(100), 100, 'SKUs of products or variants'),
  tag: Type.Optional(Line(100)),
  attribute: Type.Optional(
    Type.Unsafe<string | string[]>({
      anyOf: [AttributeChoice, { type: 'array', items: AttributeChoice, maxItems: 20 }],
      description:
        "An attribute's id, a colon and a value; repeatable. A product matches with any of the values of one " +
        'attribute, and must match every attribute.',
    }),
  ),
  facets: Type.Optional(
    Type.Boolean({
      description: 'Adds `facets` to `meta`: the values by which the list can be narrowed, with counts',
    }),
  ),
  price_min: Type.Optional({
    ...Money,
    description: 'Only products whose lowest current unit price is at least this',
  }),
  price_max: Type.Optional({
    ...Money,
    description: 'Only products whose lowest current unit price is at most this',
  }),
  in_stock: Type.Optional(
    Type.Boolean({ description: 'Whether it can be bought now, from stock or on backorder' }),
  ),
})

export const AdminProductQuery = listQuery(ADMIN_PRODUCTS)

// The format is a UUID of 36 characters, a colon and the value.
const toAttributeValue = (choice: string): AttributeValue => ({
  attributeId: choice.slice(0, 36),
  value: choice.slice(37),
})

/** Returns the filters of a storefront request. */
export function toProductFilter(query: Static<typeof ProductListQuery>, currency: string): ProductFilter {
  const minor = (field: 'price_min' | 'price_max') =>
    inQuery(() => toMinorIfPresent(query[field], currency, [field]))
  return omitUndefined({
    q: query.q,
    category: query.category,
    manufacturerIds: query.manufacturer,
    ids: query.ids,
    skus: query.sku,
    tag: query.tag,
    priceMinMinor: minor('price_min'),
    priceMaxMinor: minor('price_max'),
    inStock: query.in_stock,
    attributes: query.attribute === undefined ? undefined : [query.attribute].flat().map(toAttributeValue),
  })
}

/** Returns the filters of a staff request. Throws 422 beyond the maximum depth of lists. */
export function toAdminProductFilter(filter: Static<typeof AdminProductQuery>): AdminProductFilter {
  assertDepth(filter)
  return filter
}

/** Returns the page of a storefront request. Throws 422 beyond the maximum depth of lists. */
export function toPage({ q, sort, ...paged }: Static<typeof ProductListQuery>): ProductPage {
  assertDepth(paged)
  const defaultSort = q === undefined ? '-created_at' : 'relevance'
  return { page: paged.page, pageSize: paged.page_size, sort: sort ?? defaultSort }
}

function assertDepth({ page, page_size }: Paged): void {
  if (page * page_size > MAX_LIST_DEPTH)
    throw invalidQuery('page', `A list ends at item ${MAX_LIST_DEPTH}. Use filters to narrow it.`, page)
}
