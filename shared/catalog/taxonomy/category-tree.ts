import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'

/** How many categories a path can have: what reads them goes down step by step. */
const MAX_LEVELS = 20

/** Lets a store's trees be changed one after another: of two moves at once, each alone may be sound and both a circle. */
export async function lockCategoryTree(tx: StoreTx): Promise<void> {
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`category tree ${tx.storeId}`])
}

/**
 * Refuses (422) a parent that the store has not, that stands below the category itself, or that leads too deep. The
 * tree is locked.
 */
export async function assertValidParent(tx: StoreTx, parentId: string, categoryId?: string): Promise<void> {
  const refuse = (why: string) => invalid(['parent_id'], why, parentId)
  const path = await pathTo(tx, parentId)
  if (path.length === 0) throw refuse('This store has no such category')
  if (categoryId && path.includes(categoryId)) throw refuse('A category cannot stand below itself')
  if (path.length + (categoryId ? await heightOf(tx, categoryId) : 1) > MAX_LEVELS)
    throw refuse(`Categories stand at most ${MAX_LEVELS} levels deep`)
}

/** Ids of a category and of those above it. */
async function pathTo(tx: StoreTx, id: string): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { id: string }[] }>(
    `with recursive climb as (
       select id, parent_id from categories where store_id = ? and id = ?
       union
       select c.id, c.parent_id from categories c join climb on c.id = climb.parent_id where c.store_id = ?)
     select id from climb`,
    [tx.storeId, id, tx.storeId],
  )
  return rows.map((row) => row.id)
}

/** How many levels a category and what stands below it take. */
async function heightOf(tx: StoreTx, id: string): Promise<number> {
  const { rows } = await tx.knex.raw<{ rows: { height: number }[] }>(
    `with recursive fall as (
       select id, 1 as level from categories where store_id = ? and id = ?
       union
       select c.id, fall.level + 1 from categories c join fall on c.parent_id = fall.id where c.store_id = ?)
     select max(level) as height from fall`,
    [tx.storeId, id, tx.storeId],
  )
  return rows[0]?.height ?? 1
}
