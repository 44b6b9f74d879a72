import { type QueryBuilder, type StoreModel, toColumnNames } from './model.ts'

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
  const columns = Object.keys(toColumnNames(Object.fromEntries(sorted.map((property) => [property, null]))))
  const after = `(${columns.join(', ')}) > (${columns.map(() => '?').join(', ')})`
  const rows: M[] = []
  for (;;) {
    const piece = query.clone().orderBy(columns).limit(ROWS)
    const last = rows.at(-1)
    if (last) piece.whereRaw(after, sorted.map((property) => last[property]) as string[])
    const found = (await piece) as M[]
    rows.push(...found)
    if (found.length < ROWS) return rows
  }
}
