import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { textSql } from './sql.ts'

/**
 * SQL of the path that leads to a category from its root, in the caller's language (the statement's first two values):
 * `shelf`, its `slug`, `depth` and `crumbs`. No row when the category or one above it is unpublished.
 */
export const pathSql = (categoryId: string) => `
  with recursive climb as (
    select rung.id, rung.parent_id, rung.slug, rung.name_i18n, rung.is_active, 0 as height
    from categories rung where rung.store_id = ${CURRENT_STORE} and rung.id = ${categoryId}
    union all
    select rung.id, rung.parent_id, rung.slug, rung.name_i18n, rung.is_active, climb.height + 1
    from categories rung join climb on rung.id = climb.parent_id where rung.store_id = ${CURRENT_STORE}
  )
  select ${categoryId} as shelf, max(slug) filter (where height = 0) as slug, count(*) as depth,
    json_agg(json_build_object('id', id, 'slug', slug, 'name', coalesce(${textSql('name_i18n')}, ''))
             order by height desc) as crumbs
  from climb having bool_and(is_active)`

/** SQL: the body of the recursive relation `name`: the ids that `roots` selects, and the categories below them. */
export const subtreeSql = (name: string, roots: string) => `
  ${roots}
  union
  select c.id from categories c join ${name} above on c.parent_id = above.id where c.store_id = ${CURRENT_STORE}`

/** SQL: whether a product of the store is in one of the categories whose ids the relation has. */
export const isInCategoriesSql = (productId: string, relation: string) => `exists (
  select from product_categories pc
  where pc.store_id = ${CURRENT_STORE} and pc.product_id = ${productId}
    and pc.category_id in (select id from ${relation}))`
