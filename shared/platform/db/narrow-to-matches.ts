import type { Knex } from 'knex'

interface Query {
  whereRaw(sql: string, bindings: unknown[]): unknown
}

/** So many rows are read one by one in some milliseconds. */
export const MAX_FEW = 5_000

/**
 * Narrows a query to the rows whose ids `matches` selects. Returns whether they are few. Then they are read by their
 * ids: PostgreSQL expects so few from no other condition, and would read the whole table for some thousand. A caller
 * sorts only few by relevance, because a sort reads them all.
 */
export async function narrowToMatches(
  query: Query,
  matches: Knex.QueryBuilder,
  id = 'id',
): Promise<{ areFew: boolean }> {
  const rows: Record<string, string>[] = await matches.clone().limit(MAX_FEW + 1)
  const areFew = rows.length <= MAX_FEW
  if (areFew) query.whereRaw(`${id} = any(?::uuid[])`, [[...new Set(rows.flatMap(Object.values))]])
  else query.whereRaw(`${id} in (?)`, [matches])
  return { areFew }
}
