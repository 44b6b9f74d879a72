import { readInStore } from './pipelined-query.ts'
import type { Statement } from './statement.ts'
import type { StoreTx } from './store-scope.ts'

/** A store's transaction, or only the store's id. With the id, a read takes one round trip and no transaction. */
export type ReadScope = StoreTx | { storeId: string; knex?: never }

/** Runs a prepared statement whose only column, `json`, is text. Returns the parsed rows. */
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
