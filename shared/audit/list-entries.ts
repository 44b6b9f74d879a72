import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import { type CreatedAtFilter, filterByCreatedAt } from '#shared/platform/db/list-query.ts'
import type { Chain } from './chain.ts'
import { type ActorType, type AuditEntry, toEntry, toResourceId } from './entry.ts'

export interface AuditFilter extends Paged, CreatedAtFilter {
  /** In the platform's chain: the store that the change concerns. */
  store_id?: string
  actor_id?: string
  actor_type?: ActorType
  action?: string
  resource_type?: string
  resource_id?: string
}

const EQUAL = ['store_id', 'actor_id', 'actor_type', 'action', 'resource_type'] as const

/** Returns one page of the matching entries of a chain, newest first, and their total. */
export async function listEntries(
  { knex, entries, own }: Chain,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const query = knex(entries).where(own)
  for (const name of EQUAL) if (filter[name] !== undefined) query.where(name, filter[name])
  if (filter.resource_id) query.where('resource_id', toResourceId(filter.resource_id))
  filterByCreatedAt(query, filter)
  const [counted] = await query.clone().count({ total: '*' })
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(filter.page_size)
    .offset((filter.page - 1) * filter.page_size)
  return { results: rows.map(toEntry), total: Number(counted?.total) }
}
