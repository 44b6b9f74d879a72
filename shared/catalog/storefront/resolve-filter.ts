import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { findProductsOfCategory } from './find-products-of-category.ts'
import { findProductsWithAttributes } from './find-products-with-attributes.ts'
import { findSearch, type Search } from './search.ts'

/** The filters of a product list. Prices are the current price of one unit, in minor units. */
export interface ProductFilter {
  /** Search words in web search syntax. */
  q?: string
  /** Slug of a category; products of its descendants match too. */
  category?: string
  manufacturerIds?: string[]
  ids?: string[]
  /** SKUs of products or variants. */
  skus?: string[]
  tag?: string
  priceMinMinor?: bigint
  priceMaxMinor?: bigint
  inStock?: boolean
  /** For each attribute, the product has one of the given values. */
  attributes?: AttributeValue[]
}

/**
 * A filter with the products that its words, category and attributes match: their ids as the text of a `uuid[]`, or
 * null for too many products.
 */
export interface ResolvedFilter extends ProductFilter {
  /** The matches of `q`. */
  search?: Search
  /** The products of `category`. */
  idsInCategory?: string | null
  /** The products with `attributes`. */
  idsWithAttributes?: string | null
}

/** Looks up the words, the category and the attributes of a filter. */
export async function resolveFilter(
  context: StorefrontContext,
  filter: ProductFilter,
): Promise<ResolvedFilter> {
  const { q, category, attributes } = filter
  const [search, idsInCategory, idsWithAttributes] = await Promise.all([
    q === undefined ? undefined : findSearch(context, q),
    category === undefined ? undefined : findProductsOfCategory(context, category),
    attributes === undefined ? undefined : findProductsWithAttributes(context, attributes),
  ])
  return {
    ...filter,
    ...(search !== undefined && { search }),
    ...(idsInCategory !== undefined && { idsInCategory }),
    ...(idsWithAttributes !== undefined && { idsWithAttributes }),
  }
}
