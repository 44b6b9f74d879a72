import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The tables with a row for each imported product or variant. */
const TABLES = ['products', 'product_variants', 'product_categories', 'stock_movements', 'events']
const PRODUCTS_AT_ONCE = 200

/**
 * Inserts the imported rows of a store once more, into tables with the same columns and indexes, and returns the
 * seconds: as many statements as the batches of an import, but nothing is parsed, compared or searched.
 */
export async function copyRows(tx: StoreTx, products: number): Promise<number> {
  const batches = Math.ceil(products / PRODUCTS_AT_ONCE)
  let ms = 0
  for (const table of TABLES) {
    await tx.knex.raw(`create table floor_${table} (like ${table} including all)`)
    const columns = await columnsOf(tx, table)
    await tx.knex.raw(
      `create temp table source_${table} on commit drop as
       select ${columns}, ntile(${batches}) over (order by ${columns.split(', ')[1]}) as batch from ${table} where store_id = ?`,
      [tx.storeId],
    )
    const begun = performance.now()
    for (let batch = 1; batch <= batches; batch++)
      await tx.knex.raw(
        `insert into floor_${table} (${columns}) overriding system value select ${columns} from source_${table} where batch = ?`,
        [batch],
      )
    ms += performance.now() - begun
    await tx.knex.raw(`drop table floor_${table}`)
  }
  return ms / 1_000
}

/** The columns of a table that are not computed, of which the first is the store. */
async function columnsOf(tx: StoreTx, table: string): Promise<string> {
  const { rows } = await tx.knex.raw(
    `select string_agg(attname::text, ', ' order by attnum) as columns from pg_attribute
     where attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0].columns
}
