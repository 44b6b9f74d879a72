import { Type } from 'typebox'
import { db } from '#shared/platform/db/db.ts'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { STORE_STATUSES, type StoreStatus } from './states.ts'
import { STORE_COLUMNS, type Store } from './store.ts'

export const STORES = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', slug: 'slug', name: 'name' },
  order: '-created_at',
  searches: 'Part of the slug, the name or the e-mail address',
  text: ['slug', 'name', 'email'],
  filters: {
    status: Type.Optional(Type.Enum([...STORE_STATUSES])),
  },
})

export type StoreFilter = FilterOf<typeof STORES>

/** Returns one page of the platform's stores, newest first by default, and their total. */
export const listStores = (filter: StoreFilter): Promise<Page<Store>> =>
  inPlatform(({ knex }) => {
    const query = knex('stores')
    if (filter.status) query.where('status', filter.status)
    return STORES.pageOfRows<Store>(query, filter, STORE_COLUMNS)
  })

/** Counts the platform's stores by status. */
export async function countStores(): Promise<Record<StoreStatus, number>> {
  const counts = { active: 0, suspended: 0, deleted: 0 }
  const rows = await db()('stores').groupBy('status').select('status', db().raw('count(*)::int as count'))
  for (const { status, count } of rows) counts[status as StoreStatus] = count
  return counts
}

/**
 * Returns the id and slug of one store, or of all stores, sorted by slug. Leaves out stores whose purge has started.
 */
export async function listStoreSlugs(slug?: string): Promise<Pick<Store, 'id' | 'slug'>[]> {
  const query = db()('stores').whereNull('purge_started_at').orderBy('slug').select('id', 'slug')
  return slug === undefined ? query : query.where({ slug })
}
