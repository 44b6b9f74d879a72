import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { pathSql } from './category-sql.ts'
import type { StorefrontContext } from './context.ts'
import { textSql } from './sql.ts'

const CATEGORY = `'id', c.id, 'parent_id', c.parent_id, 'slug', c.slug, 'name', coalesce(${textSql('c.name_i18n')}, ''),
  'description', coalesce(${textSql('c.description_i18n')}, ''), 'position', c.position`

/** Siblings stand by position, then by slug. */
const IN_ORDER = 'order by c.position, c.slug'

const LIST_CATEGORIES = {
  name: 'list_categories',
  text: `select json_agg(json_build_object(${CATEGORY}) ${IN_ORDER}) from categories c
    where c.store_id = ${CURRENT_STORE} and c.is_active`,
}

const READ_CATEGORY = {
  name: 'read_category',
  text: `
    select json_build_object(${CATEGORY}, 'breadcrumbs', path.crumbs, 'children', (
      select coalesce(json_agg(json_build_object(${CATEGORY}) ${IN_ORDER}), '[]') from categories c
      where c.store_id = ${CURRENT_STORE} and c.parent_id = path.shelf and c.is_active))
    from categories c
    cross join lateral (${pathSql('c.id')}) path
    where c.store_id = ${CURRENT_STORE} and c.slug = $3::text`,
}

interface Shelf {
  id: string
  parent_id: string | null
  children: Shelf[]
}

/** The published categories as trees: what stands below an unpublished one is left out with it. */
export async function listCategories({ store, language }: StorefrontContext): Promise<Shelf[]> {
  const [row] = await readInStore(store.id, LIST_CATEGORIES, [language, store.defaultLanguage])
  const shelves: Shelf[] = JSON.parse(row?.[0] ?? '[]')
  const byId = new Map(shelves.map((shelf) => [shelf.id, Object.assign(shelf, { children: [] as Shelf[] })]))
  const roots: Shelf[] = []
  for (const shelf of shelves) {
    if (shelf.parent_id === null) roots.push(shelf)
    else byId.get(shelf.parent_id)?.children.push(shelf)
  }
  return roots
}

/** A published category as JSON, by its slug. Throws `resource.not_found`. */
export async function readCategory({ store, language }: StorefrontContext, slug: string): Promise<string> {
  const [row] = await readInStore(store.id, READ_CATEGORY, [language, store.defaultLanguage, slug])
  if (!row?.[0]) throw CommonErrors.notFound()
  return row[0]
}
