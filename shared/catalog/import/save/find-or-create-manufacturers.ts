import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Returns the ids of manufacturers by name. With `create` it creates missing ones. */
export async function findOrCreateManufacturers(
  tx: StoreTx,
  names: string[],
  create: boolean,
): Promise<Map<string, string>> {
  // Sort the names, so that two transactions that create the same manufacturers cannot deadlock.
  const wanted = [...new Set(names)].sort()
  if (wanted.length === 0) return new Map()
  const found = await findManufacturers(tx, wanted)
  const missing = wanted.filter((name) => !found.has(name))
  if (!create || missing.length === 0) return found
  const at = now()
  await tx
    .knex('manufacturers')
    .insert(
      missing.map((name) => ({ store_id: tx.storeId, id: newId(), name, created_at: at, updated_at: at })),
    )
    .onConflict(['store_id', 'name'])
    .ignore()
  return findManufacturers(tx, wanted)
}

async function findManufacturers(tx: StoreTx, names: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .knex('manufacturers')
    .where('store_id', tx.storeId)
    .whereRaw('name = any(?)', [names])
    .select('id', 'name')
  return new Map(rows.map(({ id, name }) => [name, id]))
}
