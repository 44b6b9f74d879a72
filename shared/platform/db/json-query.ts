import { readInStore } from './pipelined-query.ts'
import type { Statement } from './statement.ts'
import type { StoreTx } from './store-scope.ts'

/** A transaction of a store; or a store alone, which costs one round trip and no transaction. */
export type ReadScope = StoreTx | { storeId: string; knex?: never }

/** Asks with a prepared statement whose one column, `json`, is text. Returns the parsed rows. */
export async function queryJson<T>(
  within: ReadScope,
  statement: Statement,
  values: (string | null)[],
): Promise<T[]> {
  const texts = within.knex
    ? (await within.prepared<{ json: string }>(statement, values)).map(({ json }) => json)
    : (await readInStore(within.storeId, statement, values)).map(([json]) => json ?? '')
  return texts.map((json) => JSON.parse(json) as T)
}
