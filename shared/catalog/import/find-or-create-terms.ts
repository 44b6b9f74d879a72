import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { stableSlug } from '../slug.ts'

/** Ids of manufacturers by name. Missing ones are created. */
export async function findOrCreateManufacturers(tx: StoreTx, names: string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(names)].sort()
  await insertMissing(
    tx,
    'manufacturers',
    'name',
    wanted.map((name) => ({ name })),
  )
  const rows = await tx
    .knex('manufacturers')
    .where('store_id', tx.storeId)
    .whereIn('name', wanted)
    .select('id', 'name')
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Ids of categories by product type, found by the slug of the type. Missing ones are created. */
export async function findOrCreateCategories(
  tx: StoreTx,
  types: string[],
  language: string,
): Promise<Map<string, string>> {
  const slugs = new Map([...new Set(types)].map((type) => [type, stableSlug(type, 'category')]))
  const wanted = [...slugs].map(([type, slug]) => ({
    slug,
    name_i18n: JSON.stringify({ [language]: type }),
  }))
  wanted.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  await insertMissing(tx, 'categories', 'slug', wanted)
  const rows = await tx
    .knex('categories')
    .where('store_id', tx.storeId)
    .whereIn('slug', [...slugs.values()])
    .select('id', 'slug')
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]))
  return new Map([...slugs].map(([type, slug]) => [type, ids.get(slug)]))
}

// Callers sort the rows, so that two transactions that create the same terms cannot deadlock.
async function insertMissing(tx: StoreTx, table: string, key: string, rows: object[]): Promise<void> {
  if (rows.length === 0) return
  const at = now()
  await tx
    .knex(table)
    .insert(
      rows.map((row) => ({ store_id: tx.storeId, id: newId(), created_at: at, updated_at: at, ...row })),
    )
    .onConflict(['store_id', key])
    .ignore()
}
