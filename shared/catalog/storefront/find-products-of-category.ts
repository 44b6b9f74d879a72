import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { isCategoryPublishedSql } from './category-path.ts'

/** A list finds at most this many products by their ids. */
export const MAX_BY_ID = 5_000

/** SQL: the body of the recursive relation `wanted_categories`: the published category with a slug, and those below. */
export const wantedCategoriesSql = (slug: string) => `
  select c.id from categories c
  where c.store_id = ${CURRENT_STORE} and c.slug = ${slug}::text and ${isCategoryPublishedSql('c.id')}
  union
  select c.id from categories c join wanted_categories w on c.parent_id = w.id
  where c.store_id = ${CURRENT_STORE} and c.is_active`

/** SQL of the ids of the products in `wanted_categories`. A product can be in several of them. */
export const PRODUCTS_IN_WANTED_CATEGORIES = `
  select pc.product_id from product_categories pc
  where pc.store_id = ${CURRENT_STORE} and pc.category_id = any(array(select id from wanted_categories))`

const FIND_PRODUCTS: Statement = {
  name: 'find_products_of_category',
  text: `
  with recursive wanted_categories as (${wantedCategoriesSql('$1')}),
  found as materialized (select array(${PRODUCTS_IN_WANTED_CATEGORIES} limit ${MAX_BY_ID + 1}) as ids)
  select case when cardinality(ids) <= ${MAX_BY_ID} then ids::text end from found`,
}

const cacheIds = versionedCache<string | null>(5_000, bytesOfText)

/**
 * Returns the ids (`uuid[]`) of the products in the published category with this slug and in those below it; null if
 * there are many. PostgreSQL does not know how many products a category has. Whatever it expects for all of them, it
 * plans a list that takes a second for those with many or for those with few.
 */
export const findProductsOfCategory = (context: StorefrontContext, slug: string): Promise<string | null> =>
  cacheIds(context, slug, async () => {
    const [[ids = null] = []] = await readInStore(context.store.id, FIND_PRODUCTS, [slug])
    return ids
  })
