import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { findProductsOfCategory } from './find-products-of-category.ts'
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

/** A filter with the matches of its search words and of its category. */
export interface ResolvedFilter extends ProductFilter {
  /** The matches of `q`. */
  search?: Search
  /** The ids (`uuid[]`) of the products of `category`; null for many. */
  idsInCategory?: string | null
}

/** Looks up the words and the category of a filter. */
export async function resolveFilter(
  context: StorefrontContext,
  filter: ProductFilter,
): Promise<ResolvedFilter> {
  const { q, category } = filter
  const [search, idsInCategory] = await Promise.all([
    q === undefined ? undefined : findSearch(context, q),
    category === undefined ? undefined : findProductsOfCategory(context, category),
  ])
  return {
    ...filter,
    ...(search !== undefined && { search }),
    ...(idsInCategory !== undefined && { idsInCategory }),
  }
}
