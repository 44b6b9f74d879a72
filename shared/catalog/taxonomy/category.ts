import { CategoryErrors } from '#shared/catalog/errors.ts'
import { slugCandidates } from '#shared/catalog/slug.ts'
import { inAnyLanguage, List } from '#shared/platform/db/list.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'
import { pickText } from '#shared/platform/text.ts'
import { invalid } from '#shared/platform/validation.ts'
import { deletedProductIds, type Taxonomy, Term } from './taxonomy.ts'

/** A category of products. Categories form trees. */
export class Category extends Term {
  static override tableName = 'categories'
  static override jsonAttributes = ['nameI18n', 'descriptionI18n']

  declare parentId: string | null
  /** Unique in the store. */
  declare slug: string
  declare nameI18n: Texts
  declare descriptionI18n: Texts
  /** The sort position among its siblings. */
  declare position: number
  declare isActive: boolean
}

/** A category is in use while it has subcategories or products. */
export const categories: Taxonomy<Category> = {
  model: Category,
  list: new List({
    sorts: {
      position: ['position', 'slug'],
      slug: 'slug',
      created_at: 'created_at',
      updated_at: 'updated_at',
    },
    order: 'position',
    searches: 'Part of a name',
    text: [inAnyLanguage('name_i18n')],
  }),
  duplicateError: CategoryErrors.slugTaken,
  async prepare(tx, { defaultLanguage }, input, before) {
    const { parentId } = input
    const changesParent = parentId && parentId.toLowerCase() !== before?.parentId
    if (changesParent || !before) await lockCategoryTree(tx)
    if (changesParent) await assertValidParent(tx, parentId, before?.id)
    if (before || input.slug) return input
    const name = pickText(input.nameI18n ?? {}, defaultLanguage, defaultLanguage)
    return { ...input, slug: await findFreeSlug(tx, name) }
  },
  async detachDeletedProducts(tx, id) {
    await lockCategoryTree(tx)
    await tx
      .knex('product_categories')
      .where({ store_id: tx.storeId, category_id: id })
      .whereIn('product_id', deletedProductIds(tx))
      .delete()
  },
}

/** Returns the slug of the name, or a unique one when another category has it. The caller has locked the tree. */
async function findFreeSlug(tx: StoreTx, name: string): Promise<string> {
  const [plain, unique] = slugCandidates(name, 'category')
  return (await Category.in(tx).findOne({ slug: plain })) ? unique : plain
}

/** Storefront queries walk the tree level by level, so its depth is limited. */
export const MAX_CATEGORY_LEVELS = 20

/**
 * Serializes changes of a store's category trees: each of two concurrent moves can be valid and both together a cycle.
 */
export async function lockCategoryTree(tx: StoreTx): Promise<void> {
  await lockName(tx.knex, `category tree ${tx.storeId}`)
}

/**
 * Throws 422 when the store has no such parent, when the parent is the category or one of its descendants, and when the
 * tree would become too deep. The caller has locked the tree.
 */
export async function assertValidParent(tx: StoreTx, parentId: string, categoryId?: string): Promise<void> {
  const refuse = (message: string) => invalid(['parent_id'], message, parentId)
  const ancestors = await findPathToRoot(tx, parentId)
  if (ancestors.length === 0) throw refuse('This store has no such category')
  if (categoryId && ancestors.includes(categoryId)) throw refuse('A category cannot be its own descendant')
  if (ancestors.length + (categoryId ? await findHeight(tx, categoryId) : 1) > MAX_CATEGORY_LEVELS)
    throw refuse(`A category tree has at most ${MAX_CATEGORY_LEVELS} levels`)
}

/** Returns the ids of a category and its ancestors. */
async function findPathToRoot(tx: StoreTx, id: string): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { id: string }[] }>(
    `with recursive path as (
       select id, parent_id from categories where store_id = ? and id = ?
       union
       select c.id, c.parent_id from categories c join path on c.id = path.parent_id where c.store_id = ?)
     select id from path`,
    [tx.storeId, id, tx.storeId],
  )
  return rows.map((row) => row.id)
}

/** Returns the number of levels of a category and its descendants. */
async function findHeight(tx: StoreTx, id: string): Promise<number> {
  const { rows } = await tx.knex.raw<{ rows: { height: number }[] }>(
    `with recursive subtree as (
       select id, 1 as level from categories where store_id = ? and id = ?
       union
       select c.id, subtree.level + 1 from categories c join subtree on c.parent_id = subtree.id where c.store_id = ?)
     select max(level) as height from subtree`,
    [tx.storeId, id, tx.storeId],
  )
  return rows[0]?.height ?? 1
}
