import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
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

/** A filter with the matches of its search words. */
export interface ResolvedFilter extends ProductFilter {
  /** The matches of `q`. */
  search?: Search
}

/** Looks up the words of a filter. */
export async function resolveFilter(
  context: StorefrontContext,
  filter: ProductFilter,
): Promise<ResolvedFilter> {
  return filter.q === undefined ? filter : { ...filter, search: await findSearch(context, filter.q) }
}
