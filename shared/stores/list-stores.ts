import { db } from '#shared/platform/db/db.ts'
import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import {
  type CreatedAtFilter,
  filterByCreatedAt,
  likePattern,
  sortOrder,
} from '#shared/platform/db/list-query.ts'
import type { StoreStatus } from './states.ts'
import { STORE_COLUMNS, type Store } from './store.ts'

export const STORE_SORTS = ['created_at', '-created_at', 'slug', '-slug', 'name', '-name'] as const

export interface StoreFilter extends Paged, CreatedAtFilter {
  /** Part of a slug, a name or an e-mail address. */
  q?: string
  status?: StoreStatus
  sort?: (typeof STORE_SORTS)[number]
}

const MATCHES_TEXT = "concat_ws(' ', slug, name, email) ilike ?"
const BATCH_SIZE = 1_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Returns one page of the platform's stores, newest first by default, and their total. */
export async function listStores(filter: StoreFilter): Promise<Page<Store>> {
  const query = db()('stores')
  if (filter.status) query.where('status', filter.status)
  filterByCreatedAt(query, filter)
  if (filter.q) query.whereRaw(MATCHES_TEXT, [likePattern(filter.q)])
  const [counted] = await query.clone().count({ total: '*' })
  const { by, direction } = sortOrder(filter.sort ?? '-created_at')
  const stores = await query
    .select(STORE_COLUMNS)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(filter.page_size)
    .offset((filter.page - 1) * filter.page_size)
  return { results: stores as Store[], total: Number(counted?.total) }
}

/** Counts the platform's stores by status. */
export async function countStores(): Promise<Record<StoreStatus, number>> {
  const counts = { active: 0, suspended: 0, deleted: 0 }
  const rows = await db()('stores').groupBy('status').select('status', db().raw('count(*)::int as count'))
  for (const { status, count } of rows) counts[status as StoreStatus] = count
  return counts
}

/** Returns the id and slug of one store, or of all stores, sorted by slug. */
export async function listStoreSlugs(slug?: string): Promise<Pick<Store, 'id' | 'slug'>[]> {
  const query = db()('stores').orderBy('slug').select('id', 'slug')
  return slug === undefined ? query : query.where({ slug })
}

/** Yields the ids of all stores, deleted ones included, read in batches. */
export async function* walkStoreIds(): AsyncGenerator<string> {
  for (let after = BEFORE_ALL; ; ) {
    const ids = await db()('stores')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .pluck<string[]>('id')
    yield* ids
    const last = ids.at(-1)
    if (!last || ids.length < BATCH_SIZE) return
    after = last
  }
}
