import type { Knex } from 'knex'

interface Query {
  whereRaw(sql: string, bindings: unknown[]): unknown
}

/** This many rows are read one by one in some milliseconds. */
export const MAX_FEW = 5_000

/**
 * Narrows a query to the rows whose ids `matches` selects. Returns whether they are few. Few rows are read by a list of
 * their ids: with `matches` as a subquery, PostgreSQL expects more rows and would read the whole table. A caller sorts
 * only few rows by relevance, because a sort reads all of them.
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
