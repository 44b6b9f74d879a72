import type { Knex } from 'knex'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { indexBytesSql } from './index-bytes.ts'
import type { StoreTx } from './store-scope.ts'

/** A row and the words by whose beginnings a search finds it. */
export interface IndexedRow {
  id: string
  words: readonly string[]
  /** Values of further columns of the table. */
  columns?: Columns
}

type Columns = Readonly<Record<string, boolean>>

const LAST_CHARACTER = '\u{10ffff}'

// PostgreSQL plans a search of ten words in milliseconds, and of a hundred in seconds, even if the table is empty. Two
// hundred characters can hold eight hundred words, because some characters stand for several words.
const MAX_WORDS = 10

// Reading the words of a row with long texts takes up to 7 ms.
const ROWS_AT_ONCE = 5

/**
 * A table with the words of the rows of another table, and the column with their ids. Row-level security keeps
 * PostgreSQL from using trigram indexes; comparisons of text use the key of this table.
 */
export class WordIndex {
  readonly #table: string
  readonly #idColumn: string

  constructor(table: string, idColumn: string) {
    this.#table = table
    this.#idColumn = idColumn
  }

  /** Replaces the words of rows, which the caller has written. Unchanged words are not written again. */
  async replace(tx: StoreTx, rows: readonly IndexedRow[]): Promise<void> {
    if (rows.length === 0) return
    const { names, lists } = listsOf(rows)
    const equalities = names.map(() => ' and kept.?? = old.??').join('')
    await tx.knex.raw(
      `delete from ?? old where store_id = ? and ?? = any(?::uuid[]) and not exists (
         select from ${unnestSql(names)} kept (id, word${', ??'.repeat(names.length)})
         where kept.id = old.?? and kept.word = old.word${equalities})`,
      [
        this.#table,
        tx.storeId,
        this.#idColumn,
        rows.map(({ id }) => id),
        ...lists,
        ...names,
        this.#idColumn,
        ...names.flatMap((name) => [name, name]),
      ],
    )
    await this.insert(tx, rows)
  }

  /**
   * Replaces the words of any number of rows with long texts. `read` returns the rows of a few ids. Other requests run
   * between its calls.
   */
  async replaceInParts(
    tx: StoreTx,
    ids: readonly string[],
    read: (ids: string[]) => Promise<IndexedRow[]>,
  ): Promise<void> {
    for (const some of slicesOf(ids, ROWS_AT_ONCE)) await this.replace(tx, await read(some))
  }

  /**
   * Inserts the words of new rows, which the caller has written. All rows have the same columns. Each column is passed
   * as one list, because the names and addresses of 200 customers can have more words than a statement takes values.
   */
  async insert(tx: StoreTx, rows: readonly IndexedRow[]): Promise<void> {
    if (rows.every(({ words }) => words.length === 0)) return
    const { names, lists } = listsOf(rows)
    const { rows: counted } = await tx.knex.raw<{ rows: [{ bytes: number }] }>(
      `with added as (
         insert into ?? (store_id, ??, word${', ??'.repeat(names.length)})
         select cast(? as uuid), * from ${unnestSql(names)}
         on conflict do nothing returning word)
       select ${indexBytesSql('word')} as bytes from added`,
      [this.#table, this.#idColumn, ...names, tx.storeId, ...lists],
    )
    tx.noteStored(counted[0].bytes)
  }

  /** Deletes the words of rows. */
  async remove(tx: StoreTx, ids: readonly string[]): Promise<void> {
    await this.#rows(tx, ids).delete()
  }

  /**
   * Returns a query of the ids of rows that have, for each beginning, a word that starts with it. Of more than ten
   * beginnings, only the ten longest count. A search without a beginning finds nothing. `columns` limits the words. Do
   * not join such queries with `union` or `or`: PostgreSQL cannot estimate these, and reads many rows one by one.
   */
  idsWithWords(tx: StoreTx, beginnings: readonly string[], columns: Columns = {}): Knex.QueryBuilder {
    const longest = [...new Set(beginnings)].sort((a, b) => b.length - a.length)
    return this.#idsWithAll(tx, longest.slice(0, MAX_WORDS), columns)
  }

  #idsWithAll(tx: StoreTx, [first, ...others]: readonly string[], columns: Columns): Knex.QueryBuilder {
    const ids = tx
      .knex(this.#table)
      .where({ store_id: tx.storeId, ...columns })
      .select(this.#idColumn)
    if (first === undefined) return ids.whereRaw('false')
    ids.where('word', '>=', first).where('word', '<', first + LAST_CHARACTER)
    return others.length > 0 ? ids.whereIn(this.#idColumn, this.#idsWithAll(tx, others, columns)) : ids
  }

  #rows(tx: StoreTx, ids: readonly string[]) {
    return tx
      .knex(this.#table)
      .where('store_id', tx.storeId)
      .whereRaw('?? = any(?)', [this.#idColumn, [...ids]])
  }
}

/** Returns the names of the further columns, and a list for each column: ids, words, and the further values. */
function listsOf(rows: readonly IndexedRow[]) {
  const all = rows.flatMap(({ id, words, columns = {} }) => words.map((word) => ({ id, word, columns })))
  const names = Object.keys(all[0]?.columns ?? {})
  const lists = [
    all.map(({ id }) => id),
    all.map(({ word }) => word),
    ...names.map((name) => all.map(({ columns }) => columns[name] === true)),
  ]
  return { names, lists }
}

/** SQL: the lists of `listsOf` as rows. */
const unnestSql = (names: readonly string[]) =>
  `unnest(?::uuid[], ?::text[]${', ?::boolean[]'.repeat(names.length)})`
