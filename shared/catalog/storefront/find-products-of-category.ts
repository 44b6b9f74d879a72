import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { isCategoryPublishedSql } from './category-path.ts'
import { findIdsOnce, MAX_BY_ID } from './find-ids-once.ts'

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

const findIds = findIdsOnce({
  name: 'find_products_of_category',
  text: `
  with recursive wanted_categories as (${wantedCategoriesSql('$1')}),
  found as materialized (select array(${PRODUCTS_IN_WANTED_CATEGORIES} limit ${MAX_BY_ID + 1}) as ids)
  select case when cardinality(ids) <= ${MAX_BY_ID} then ids::text end from found`,
})

/**
 * Returns the ids (`uuid[]`) of the products in the published category with this slug and in those below it; null if
 * there are many.
 */
export const findProductsOfCategory = (context: StorefrontContext, slug: string): Promise<string | null> =>
  findIds(context, [slug])
