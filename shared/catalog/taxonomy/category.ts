import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { pickText } from '#shared/platform/text.ts'
import { CategoryErrors } from '../errors.ts'
import type { Texts } from '../product.ts'
import { slugCandidates } from '../slug.ts'
import { assertValidParent, lockCategoryTree } from './category-tree.ts'
import { filterByAnyName } from './named-term.ts'
import type { Taxonomy } from './taxonomy.ts'
import { Term } from './term.ts'

/** A shelf of the store; shelves stand in trees. */
export class Category extends Term {
  static override tableName = 'categories'
  static override jsonAttributes = ['nameI18n', 'descriptionI18n']

  declare parentId: string | null
  /** Unique in the store. */
  declare slug: string
  declare nameI18n: Texts
  declare descriptionI18n: Texts
  /** Order among its siblings. */
  declare position: number
  declare isActive: boolean
}

/** A category is in use while it has categories below it, or products. */
export const categories: Taxonomy<Category> = {
  model: Category,
  order: ['position', 'slug'],
  duplicateError: CategoryErrors.slugTaken,
  filterByName: filterByAnyName,
  async prepare(tx, { defaultLanguage }, said, before) {
    const moves = said.parentId && said.parentId.toLowerCase() !== before?.parentId
    if (moves || !before) await lockCategoryTree(tx)
    if (moves) await assertValidParent(tx, said.parentId as string, before?.id)
    if (before || said.slug) return said
    return {
      ...said,
      slug: await freeSlug(tx, pickText(said.nameI18n ?? {}, defaultLanguage, defaultLanguage)),
    }
  },
  async detachDeletedProducts(tx, id) {
    await lockCategoryTree(tx)
    await tx
      .knex('product_categories')
      .where({ store_id: tx.storeId, category_id: id })
      .whereIn(
        'product_id',
        tx.knex('products').where('store_id', tx.storeId).whereNotNull('deleted_at').select('id'),
      )
      .delete()
  },
}

/** The slug that a name leads to, or one that nothing else has. The tree is locked. */
async function freeSlug(tx: StoreTx, name: string): Promise<string> {
  const [plain, certain] = slugCandidates(name, 'category')
  return (await Category.in(tx).findOne({ slug: plain })) ? certain : plain
}
