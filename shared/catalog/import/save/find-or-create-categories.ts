import { stableSlug } from '#shared/catalog/slug.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** A category's names from the top: `['Clothing', 'Shirts']`. */
type Path = string[]

interface CategoryRow {
  id: string
  slug: string
  parent_id: string | null
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const slugOf = (name: string): string => (SLUG.test(name) ? name : stableSlug(name, 'category'))

/** Returns the key of a path in the result of `findOrCreateCategories`. */
export const categoryKey = (path: Path): string => JSON.stringify(path)

/**
 * Returns the ids of categories by `categoryKey`. It finds a category by the slug of its name. If that category has
 * another parent, it uses the slug of the whole path instead. With `create` it creates missing categories with their
 * parents.
 */
export async function findOrCreateCategories(
  tx: StoreTx,
  paths: Path[],
  { language, create }: { language: string; create: boolean },
): Promise<Map<string, string>> {
  const wanted = withParents(paths)
  if (wanted.length === 0) return new Map()
  const known = await findBySlugs(tx, wanted)
  const created: (CategoryRow & { name: string })[] = []
  const ids = new Map<string, string>()
  for (const path of wanted) {
    const name = path.at(-1) ?? ''
    const isTopLevel = path.length === 1
    const parentId = isTopLevel ? null : (ids.get(categoryKey(path.slice(0, -1))) ?? null)
    const namesake = known.get(slugOf(name))
    const isOther = namesake !== undefined && !isTopLevel && namesake.parent_id !== parentId
    const slug = slugOf(isOther ? path.join(' ') : name)
    const found = known.get(slug)
    if (!found && !create) continue
    const row = found ?? { id: newId(), slug, parent_id: parentId }
    if (!found) {
      created.push({ ...row, name })
      known.set(slug, row)
    }
    ids.set(categoryKey(path), row.id)
  }
  await insertCategories(tx, created, language)
  return ids
}

/** Returns each path and the paths above it, shorter ones first. */
function withParents(paths: Path[]): Path[] {
  const all = paths.flatMap((path) => path.map((_, depth) => path.slice(0, depth + 1)))
  return [...new Map(all.map((path) => [categoryKey(path), path])).values()].sort(
    (a, b) => a.length - b.length || (categoryKey(a) < categoryKey(b) ? -1 : 1),
  )
}

async function findBySlugs(tx: StoreTx, paths: Path[]): Promise<Map<string, CategoryRow>> {
  const slugs = paths.flatMap((path) => [slugOf(path.at(-1) ?? ''), slugOf(path.join(' '))])
  const rows: CategoryRow[] = await tx
    .knex('categories')
    .where('store_id', tx.storeId)
    .whereRaw('slug = any(?)', [[...new Set(slugs)]])
    .select('id', 'slug', 'parent_id')
  return new Map(rows.map((row) => [row.slug, row]))
}

async function insertCategories(
  tx: StoreTx,
  rows: (CategoryRow & { name: string })[],
  language: string,
): Promise<void> {
  if (rows.length === 0) return
  const at = now()
  // If staff create the category at the same time, this insert conflicts. Then the job runs again and finds it.
  await tx.knex('categories').insert(
    rows.map(({ name, ...row }) => ({
      ...row,
      store_id: tx.storeId,
      name_i18n: JSON.stringify({ [language]: name }),
      created_at: at,
      updated_at: at,
    })),
  )
}
