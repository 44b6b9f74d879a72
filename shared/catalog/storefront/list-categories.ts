import { Type } from 'typebox'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { textOrEmptySql } from '#shared/catalog/storefront-context/sql.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { Breadcrumb, categoryPathSql } from './category-path.ts'

const categoryFields = jsonFields({
  id: [Uuid, 'c.id'],
  parent_id: [Nullable(Uuid), 'c.parent_id'],
  slug: [Type.String(), 'c.slug'],
  name: [Type.String(), textOrEmptySql('c.name_i18n')],
  description: [Type.String(), textOrEmptySql('c.description_i18n')],
  position: [Type.Integer(), 'c.position'],
})

const Category = schemaOf(categoryFields)

/** A category with its descendants. */
export const CategoryTree = Type.Cyclic(
  { CategoryTree: Shape({ ...Category.properties, children: Type.Array(Type.Ref('CategoryTree')) }) },
  'CategoryTree',
)

/** SQL of a list of categories `c`, siblings by position, then by slug. */
const CATEGORIES = `coalesce(json_agg(${jsonSql(categoryFields)} order by c.position, c.slug), '[]')`

const detailFields = jsonFields({
  ...categoryFields,
  breadcrumbs: [
    Type.Array(Breadcrumb, { description: 'From the root to the category itself' }),
    'path.breadcrumbs',
  ],
  children: [
    Type.Array(Category),
    `(
      select ${CATEGORIES} from categories c
      where c.store_id = ${CURRENT_STORE} and c.parent_id = path.category_id and c.is_active)`,
  ],
})

/** A category with its path and its direct subcategories. */
export const CategoryDetail = schemaOf(detailFields)

const LIST_CATEGORIES = {
  name: 'list_categories',
  text: `select ${CATEGORIES} from categories c where c.store_id = ${CURRENT_STORE} and c.is_active`,
}

const READ_CATEGORY = {
  name: 'read_category',
  text: `
    select ${jsonSql(detailFields)}
    from categories c
    cross join lateral (${categoryPathSql('c.id')}) path
    where c.store_id = ${CURRENT_STORE} and c.slug = $3::text`,
}

interface TreeNode {
  id: string
  parent_id: string | null
  children: TreeNode[]
}

const cacheTrees = versionedCache<string>(1_000, bytesOfText)

/**
 * Returns the published categories as trees, in JSON. A category below an unpublished one is left out. The trees are
 * built once for each catalog version: those of 20,000 categories take 50 ms of the event loop, and callers can bypass
 * the cache of responses by another spelling of the URL.
 */
export const listCategories = (context: StorefrontContext): Promise<string> =>
  cacheTrees(context, [context.language, context.store.defaultLanguage], async () =>
    JSON.stringify(await readTrees(context)),
  )

async function readTrees({ store, language }: StorefrontContext): Promise<TreeNode[]> {
  const [row] = await readInStore(store.id, LIST_CATEGORIES, [language, store.defaultLanguage])
  const categories: TreeNode[] = JSON.parse(row?.[0] ?? '[]')
  const byId = new Map(categories.map((one) => [one.id, Object.assign(one, { children: [] as TreeNode[] })]))
  const roots: TreeNode[] = []
  for (const category of categories) {
    if (category.parent_id === null) roots.push(category)
    else byId.get(category.parent_id)?.children.push(category)
  }
  return roots
}

/** Returns a published category as JSON, by its slug. Throws `resource.not_found`. */
export async function readCategory({ store, language }: StorefrontContext, slug: string): Promise<string> {
  const [row] = await readInStore(store.id, READ_CATEGORY, [language, store.defaultLanguage, slug])
  if (!row?.[0]) throw CommonErrors.notFound()
  return row[0]
}
