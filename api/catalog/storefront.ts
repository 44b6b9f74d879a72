import { Type } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { JsonText, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import {
  CategoryDetail,
  CategoryTree,
  listCategories as listTrees,
  readCategory as readCategoryDetail,
} from '#shared/catalog/storefront/list-categories.ts'
import { listProducts as listCards } from '#shared/catalog/storefront/list-products.ts'
import { ProductCard } from '#shared/catalog/storefront/product-card.ts'
import { readFacets } from '#shared/catalog/storefront/read-facets.ts'
import { ProductDetail, readProduct as readProductDetail } from '#shared/catalog/storefront/read-product.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { CATEGORY, CATEGORY_PAGE, PRODUCT_CARD, PRODUCT_PAGE } from './examples.ts'
import { PlaceQuery, ProductListQuery, toPage, toProductFilter } from './product-query.ts'
import { SlugParams } from './schemas.ts'
import { storefrontContext } from './storefront-context.ts'

export const listProducts = endpoint({
  method: 'get',
  path: '/products',
  access: storefront,
  cached: true,
  paginated: true,
  summary: 'List and search products',
  description:
    '`q` uses web search syntax ("exact phrase", -without, or) in the language of the request. It tolerates a ' +
    'misspelt name and finds a SKU. `category` includes its descendants. Filters and sorting by price use ' +
    '`current_price`; they show the start or end of a sale within seconds, and are those of the store’s own country. ' +
    'A search without `sort` is sorted by `relevance`: the product of that very SKU first, then by rank. Prices are ' +
    'shown for the country of the query.',
  query: ProductListQuery,
  returns: [200, Type.Array(ProductCard)],
  example: { data: [PRODUCT_CARD] },
  async handle({ store, query, request }) {
    const filter = toProductFilter(query, store.currency)
    const context = storefrontContext(store, request, query)
    const [{ json, total }, facets] = await Promise.all([
      listCards(context, filter, toPage(query)),
      query.facets ? readFacets(context, filter) : undefined,
    ])
    const meta = { ...pageMeta(total, query), ...(facets ? { facets } : {}) }
    return new Reply(new JsonText(json), { meta })
  },
})

export const readProduct = endpoint({
  method: 'get',
  path: '/products/:slug',
  access: storefront,
  cached: true,
  summary: 'Read a product',
  description:
    'Prices are those of a place: where the prices of the store include tax, they depend on its setting ' +
    '`cross_border_prices`.',
  params: SlugParams,
  query: PlaceQuery,
  returns: [200, ProductDetail],
  errors: [CommonErrors.notFound],
  example: { data: PRODUCT_PAGE },
  async handle({ store, params, query, request }) {
    return new JsonText(await readProductDetail(storefrontContext(store, request, query), params.slug))
  },
})

export const listCategories = endpoint({
  method: 'get',
  path: '/categories',
  access: storefront,
  cached: true,
  summary: 'Read the category trees',
  returns: [200, Type.Array(CategoryTree)],
  example: { data: [{ ...CATEGORY, children: [] }] },
  async handle({ store, request }) {
    return new JsonText(await listTrees(storefrontContext(store, request)))
  },
})

export const readCategory = endpoint({
  method: 'get',
  path: '/categories/:slug',
  access: storefront,
  cached: true,
  summary: 'Read a category with its path and its subcategories',
  params: SlugParams,
  returns: [200, CategoryDetail],
  errors: [CommonErrors.notFound],
  example: { data: CATEGORY_PAGE },
  async handle({ store, params, request }) {
    return new JsonText(await readCategoryDetail(storefrontContext(store, request), params.slug))
  },
})
