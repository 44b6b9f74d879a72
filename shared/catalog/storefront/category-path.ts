import { Type } from 'typebox'
import { textOrEmptySql } from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { Uuid } from '#shared/platform/http/schema.ts'

const breadcrumbFields = jsonFields({
  id: [Uuid, 'id'],
  slug: [Type.String(), 'slug'],
  name: [Type.String(), textOrEmptySql('name_i18n')],
})

export const Breadcrumb = schemaOf(breadcrumbFields)

/**
 * SQL of the path from the root to a category: `category_id`, `slug`, `depth`, and `breadcrumbs` as JSON. It has no row
 * if the category or an ancestor is unpublished.
 */
export const categoryPathSql = (categoryId: string) => `
  with recursive path as (
    select node.id, node.parent_id, node.slug, node.name_i18n, node.is_active, 0 as height
    from categories node where node.store_id = ${CURRENT_STORE} and node.id = ${categoryId}
    union all
    select node.id, node.parent_id, node.slug, node.name_i18n, node.is_active, path.height + 1
    from categories node join path on node.id = path.parent_id where node.store_id = ${CURRENT_STORE}
  )
  select ${categoryId} as category_id, max(slug) filter (where height = 0) as slug, count(*) as depth,
    json_agg(${jsonSql(breadcrumbFields)} order by height desc) as breadcrumbs
  from path having bool_and(is_active)`

/** SQL: whether a category and all its ancestors are published. */
export const isCategoryPublishedSql = (categoryId: string) => `(
  with recursive path as (
    select node.parent_id, node.is_active
    from categories node where node.store_id = ${CURRENT_STORE} and node.id = ${categoryId}
    union all
    select node.parent_id, node.is_active
    from categories node join path on node.id = path.parent_id where node.store_id = ${CURRENT_STORE}
  )
  select bool_and(is_active) from path)`

/**
 * SQL: the body of the recursive relation `name` with the `id` and `parent_id` of the categories whose ids `ids`
 * selects, and of their ancestors. Without the offset, PostgreSQL may read all categories at each level.
 */
export const pathsSql = (name: string, ids: string) => `
  select c.id, c.parent_id from categories c where c.store_id = ${CURRENT_STORE} and c.id = any(array(${ids}))
  union
  select parent.id, parent.parent_id from ${name} child cross join lateral (
    select c.id, c.parent_id from categories c
    where c.store_id = ${CURRENT_STORE} and c.id = child.parent_id offset 0) parent`

/** SQL of the `product_id` and `category_id` of each category of the products whose ids (`uuid[]`) are given. */
export const categoriesOfProductsSql = (productIds: string) => `
  select pc.product_id, pc.category_id from product_categories pc
  where pc.store_id = ${CURRENT_STORE} and pc.product_id = any(${productIds})`
