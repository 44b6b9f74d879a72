import { toColumnNames } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Rows of several tables of a store, by property or column names. Amounts are bigint. */
export class Rows {
  readonly storeId: string
  readonly #tables = new Map<string, object[]>()

  constructor(storeId: string) {
    this.storeId = storeId
  }

  /** Adds a row and returns it: it can change until the rows are written. */
  add<R extends object>(table: string, row: R): R {
    const rows = this.#tables.get(table) ?? []
    rows.push(row)
    this.#tables.set(table, rows)
    return row
  }

  of(table: string): readonly object[] {
    return this.#tables.get(table) ?? []
  }
}

/**
 * Inserts the rows of tables, one statement for each, in the order of `tables`. All rows of a table have the same
 * columns.
 */
export async function insertRows(tx: StoreTx, rows: Rows, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const json = rows.of(table).map((row) => toColumns({ ...row, storeId: rows.storeId }))
    // The columns that rows leave out get their defaults.
    const columns = Object.keys(json[0] ?? {}).join(', ')
    if (columns === '') continue
    await tx.knex.raw(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, ?::jsonb)`,
      [JSON.stringify(json)],
    )
  }
}

/** Adds numbers to columns of rows of a table, by the ids of the rows. They are locked in the order of their ids. */
export async function addToColumns(
  tx: StoreTx,
  table: string,
  changes: ReadonlyMap<string, Record<string, number>>,
): Promise<void> {
  const columns = Object.keys([...changes.values()][0] ?? {})
  if (columns.length === 0) return
  const values = JSON.stringify([...changes].map(([id, added]) => ({ id, ...added })))
  const sums = columns.map((column) => `${column} = t.${column} + added.${column}`)
  const types = columns.map((column) => `${column} integer`)
  await tx.knex.raw(
    `with locked as materialized (
       select t.id from ${table} t
       where t.store_id = ? and t.id in (select (one ->> 'id')::uuid from jsonb_array_elements(?::jsonb) one)
       order by t.id for no key update)
     update ${table} t set ${sums.join(', ')}
     from jsonb_to_recordset(?::jsonb) as added (id uuid, ${types.join(', ')}) join locked on locked.id = added.id
     where t.store_id = ? and t.id = added.id`,
    [tx.storeId, values, values, tx.storeId],
  )
}

/** JSON has neither bigint nor bytes. PostgreSQL reads both from text. */
const toText = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return value.map(toText)
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

const toColumns = (row: object): object =>
  toColumnNames(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toText(value)])))
