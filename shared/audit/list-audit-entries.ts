import type { Knex } from 'knex'
import { Type } from 'typebox'
import { isUuid } from '#shared/platform/db/id.ts'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import type { Chain } from './chain.ts'
import { ACTOR_TYPES, type AuditEntry, toEntry, toResourceId } from './entry.ts'

export const AUDIT_ENTRIES = new List({
  sorts: { created_at: [] },
  order: '-created_at',
  searches: 'An action, a type of resources, or the id of a resource or an actor',
  id: 'sequence',
  filters: {
    actor_id: Type.Optional(Uuid),
    actor_type: Type.Optional(Type.Enum([...ACTOR_TYPES])),
    action: Type.Optional(Type.String({ maxLength: 200, description: "An operation's `operationId`" })),
    resource_type: Type.Optional(
      Type.String({ maxLength: 200, description: "The resource's name in the path, e.g. `webhooks`" }),
    ),
    resource_id: Type.Optional(Type.String({ maxLength: 200 })),
  },
})

export type AuditFilter = FilterOf<typeof AUDIT_ENTRIES> & {
  /** The store that the change concerns, in the platform's chain. */
  store_id?: string
  /** The actions whose entries are left out. */
  hiddenActions?: readonly string[]
}

const EQUAL = ['store_id', 'actor_id', 'actor_type', 'action', 'resource_type'] as const

/** Returns one page of the matching entries of a chain, by default newest first, and their total. */
export async function listAuditEntries(
  { knex, entries, own }: Chain,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const query = knex(entries).where(own)
  for (const name of EQUAL) if (filter[name] !== undefined) query.where(name, filter[name])
  if (filter.resource_id) query.where('resource_id', toResourceId(filter.resource_id))
  if (filter.hiddenActions) query.whereNotIn('action', [...filter.hiddenActions])
  if (filter.q !== undefined) match(query, filter.q.trim())
  const { results, total } = await AUDIT_ENTRIES.pageOfRows<Record<string, unknown>>(query, filter, '*')
  return { results: results.map(toEntry), total }
}

// Search only columns with an index, because the number of entries has no limit.
function match(query: Knex.QueryBuilder, words: string): void {
  query.where((either) => {
    either.where('action', words).orWhere('resource_type', words).orWhere('resource_id', toResourceId(words))
    if (isUuid(words)) either.orWhere('actor_id', words)
  })
}
