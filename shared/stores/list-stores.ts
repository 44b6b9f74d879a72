import { type CreatedAtFilter, filterByCreatedAt } from '#shared/platform/db/created-at-filter.ts'
import { db } from '#shared/platform/db/db.ts'
import { likePattern } from '#shared/platform/db/like-pattern.ts'
import type { Page, Paged } from '#shared/platform/db/page.ts'
import { sortOrder } from '#shared/platform/db/sort-order.ts'
import type { StoreStatus } from './states.ts'
import { RECORD_COLUMNS, type StoreRecord } from './store-record.ts'

export const STORE_SORTS = ['created_at', '-created_at', 'slug', '-slug', 'name', '-name'] as const

export interface StoreFilter extends Paged, CreatedAtFilter {
  /** Part of a slug, a name or an e-mail address. */
  q?: string
  status?: StoreStatus
  sort?: (typeof STORE_SORTS)[number]
}

/** One page of the platform's stores that fit, newest first unless told, and how many there are. */
export async function listStores(filter: StoreFilter): Promise<Page<StoreRecord>> {
  const query = db()('stores')
  if (filter.status) query.where('status', filter.status)
  filterByCreatedAt(query, filter)
  if (filter.q) query.whereRaw(MATCHES_TEXT, [likePattern(filter.q)])
  const [counted] = await query.clone().count({ total: '*' })
  const { by, direction } = sortOrder(filter.sort ?? '-created_at')
  const stores = await query
    .select(RECORD_COLUMNS)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(filter.page_size)
    .offset((filter.page - 1) * filter.page_size)
  return { results: stores as StoreRecord[], total: Number(counted?.total) }
}

const MATCHES_TEXT = "concat_ws(' ', slug, name, email) ilike ?"
