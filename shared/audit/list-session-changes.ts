import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { storeChain } from './chain.ts'

/** A change without its content. */
export interface ListedChange {
  createdAt: Date
  action: string
  resourceType: string
  resourceId: string | null
  /** The beginning of the resource's name, if the entry has it and it is not personal data. */
  name: string | null
}

// Content that may be personal is sealed. An `after` of a deletion is the null of JSON.
const CONTENT = "coalesce(nullif(after, 'null'), before)"
const NAME = `left(case when sealed is null and resource_id is not null then
  coalesce(${CONTENT} ->> 'name', jsonb_path_query_first(${CONTENT}, '$.name_i18n.*') #>> '{}') end, 100)`

/**
 * Returns the first `most` changes of a session that began at `since`, oldest first, and the number of all. Reads of
 * personal data are no changes.
 */
export async function listSessionChanges(
  tx: StoreTx,
  sessionId: string,
  since: Date,
  most: number,
): Promise<{ changes: ListedChange[]; total: number }> {
  const { knex, entries, own } = storeChain(tx)
  const rows = await knex(entries)
    .where(own)
    .where('session_id', sessionId)
    .where('created_at', '>=', since)
    .whereNot('action', 'like', 'get%')
    .orderBy('sequence')
    .limit(most)
    .select({
      createdAt: 'created_at',
      action: 'action',
      resourceType: 'resource_type',
      resourceId: 'resource_id',
      name: knex.raw(NAME),
      total: knex.raw('count(*) over ()'),
    })
  return {
    changes: rows.map(({ total: _, ...change }) => change),
    total: Number(rows[0]?.total ?? 0),
  }
}
