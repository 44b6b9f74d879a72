import type { Knex } from 'knex'
import { type QueryBuilder, type StoreModel, toColumnName } from './model.ts'

// Objection makes so many models in about 10 ms.
const ROWS = 2_000

/**
 * Reads all rows of a query in pieces, so that the process does other work in between, however many rows a page has.
 * The properties `sorted` sort the rows, and together identify each.
 */
export async function readInPieces<M extends StoreModel>(
  query: QueryBuilder<M, M[]>,
  sorted: readonly (keyof M & string)[],
): Promise<M[]> {
  // A query that joins other tables has their columns, too.
  const columns = sorted.map((name) => `${query.modelClass().tableName}.${toColumnName(name)}`)
  const after = `(${columns.join(', ')}) > (${columns.map(() => '?').join(', ')})`
  return readAll((last: M | undefined) => {
    const piece = query.clone().orderBy(columns).limit(ROWS)
    if (last) piece.whereRaw(after, sorted.map((property) => last[property]) as string[])
    return piece as unknown as PromiseLike<M[]>
  })
}

/** Like `readInPieces`, for a query without a model. The columns `sorted` sort the rows, and together identify each. */
export function readRowsInPieces<Row extends object>(
  query: Knex.QueryBuilder,
  sorted: readonly (keyof Row & string)[],
): Promise<Row[]> {
  const after = `(${sorted.join(', ')}) > (${sorted.map(() => '?').join(', ')})`
  return readAll((last: Row | undefined) => {
    const piece = query
      .clone()
      .orderBy([...sorted])
      .limit(ROWS)
    return last ? piece.whereRaw(after, sorted.map((column) => last[column]) as string[]) : piece
  })
}

/** Reads all rows. `readAfter` returns the first `ROWS` rows after the last one. */
async function readAll<Row>(readAfter: (last: Row | undefined) => PromiseLike<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const found = await readAfter(rows.at(-1))
    rows.push(...found)
    if (found.length < ROWS) return rows
  }
}
