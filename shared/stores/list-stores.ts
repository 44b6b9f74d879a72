import { db } from '../platform/db.ts'
import { likePattern } from '../platform/like-pattern.ts'
import type { Paged } from '../platform/page.ts'
import type { StoreStatus } from './states.ts'
import { RECORD_COLUMNS, type StoreRecord } from './store-record.ts'

export const STORE_SORTS = ['created_at', '-created_at', 'slug', '-slug', 'name', '-name'] as const

export interface StoreFilter extends Paged {
  /** Part of a slug, a name or an e-mail address. */
  q?: string
  status?: StoreStatus
  created_from?: string
  created_to?: string
  sort?: (typeof STORE_SORTS)[number]
}

/** One page of the platform's stores that fit, newest first unless told, and how many there are. */
export async function listStores(filter: StoreFilter): Promise<{ stores: StoreRecord[]; total: number }> {
  const query = db()('stores')
  if (filter.status) query.where('status', filter.status)
  if (filter.created_from) query.where('created_at', '>=', filter.created_from)
  if (filter.created_to) query.where('created_at', '<', filter.created_to)
  if (filter.q) query.whereRaw(MATCHES_TEXT, [likePattern(filter.q)])
  const [counted] = await query.clone().count({ total: '*' })
  const sort = filter.sort ?? '-created_at'
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const stores = await query
    .select(RECORD_COLUMNS)
    .orderBy(sort.replace('-', ''), direction)
    .orderBy('id', direction)
    .limit(filter.page_size)
    .offset((filter.page - 1) * filter.page_size)
  return { stores: stores as StoreRecord[], total: Number(counted?.total) }
}

const MATCHES_TEXT = "concat_ws(' ', slug, name, email) ilike ?"
