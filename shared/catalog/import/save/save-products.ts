import { isDeepStrictEqual } from 'node:util'
import type { ProductPlan } from '#shared/catalog/import/plan/plan-product.ts'
import {
  columnOf,
  PRODUCT_TYPES,
  type ProductRow,
  VARIANT_TYPES,
  type VariantRow,
} from '#shared/catalog/import/rows/rows.ts'
import { indexWords } from '#shared/catalog/search/product-words.ts'
import { searchNameSql, searchSql } from '#shared/catalog/search/search-text.ts'
import { newStockColumns } from '#shared/inventory/new-stock.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

interface Target {
  table: string
  types: Record<string, string>
  /** Fields that only `derived` reads, with their types. */
  sources?: Record<string, string>
  /** Derived columns, by SQL over the row `r`. */
  derived?: Record<string, string>
  /** Columns that an existing row keeps. */
  immutable: string[]
}

/** SQL that upserts rows from a JSON list. */
function upsertSql({ table, types, sources = {}, derived = {}, immutable }: Target): string {
  const columns = Object.keys(types).map(columnOf)
  const allColumns = [...columns, ...Object.keys(derived)]
  const values = [...columns.map((column) => `r.${column}`), ...Object.values(derived)]
  const updates = allColumns
    .filter((column) => !immutable.includes(column))
    .map((column) => `${column} = excluded.${column}`)
  return `
    insert into ${table} (store_id, ${allColumns.join(', ')})
    select cast(:store as uuid), ${values.join(', ')}
    from jsonb_to_recordset(cast(:rows as jsonb)) as r(${recordShape({ ...types, ...sources })})
    on conflict (store_id, id) do update set ${updates.join(', ')}`
}

/** SQL that updates existing rows from a JSON list. */
function updateSql({ table, types, immutable }: Omit<Target, 'sources' | 'derived'>): string {
  const columns = Object.keys(types).map(columnOf)
  const updates = columns
    .filter((column) => !immutable.includes(column))
    .map((column) => `${column} = r.${column}`)
  return `
    update ${table} as saved set ${updates.join(', ')}
    from jsonb_to_recordset(cast(:rows as jsonb)) as r(${recordShape(types)})
    where saved.store_id = cast(:store as uuid) and saved.id = r.id`
}

const recordShape = (types: Record<string, string>): string =>
  Object.entries(types)
    .map(([name, type]) => `${columnOf(name)} ${type}`)
    .join(', ')

const IMMUTABLE = ['id', 'slug', 'sku', 'current_price_minor', 'created_at', 'deleted_at']

const SAVE_PRODUCTS = upsertSql({
  table: 'products',
  types: PRODUCT_TYPES,
  derived: {
    search: searchSql({ nameI18n: 'r.name_i18n', tags: 'r.tags', descriptionI18n: 'r.description_i18n' }),
    search_name: searchNameSql('r.name_i18n'),
  },
  immutable: IMMUTABLE,
})

const UPDATE_PRODUCTS_WITH_SAME_TEXTS = updateSql({
  table: 'products',
  types: PRODUCT_TYPES,
  immutable: IMMUTABLE,
})

const SAVE_VARIANTS = upsertSql({
  table: 'product_variants',
  types: VARIANT_TYPES,
  sources: { stockOnHand: 'integer' },
  derived: newStockColumns('r.stock_on_hand'),
  immutable: ['id', 'product_id', 'sku', 'created_at', 'deleted_at', ...Object.keys(newStockColumns(''))],
})

/** Upserts products. Only new and changed texts are indexed for searches, which takes most of the time of a batch. */
export async function saveProducts(
  tx: StoreTx,
  plans: Pick<ProductPlan, 'before' | 'product'>[],
): Promise<void> {
  const productsOf = (chosen: typeof plans) => chosen.map(({ product }) => product)
  const withNewTexts = productsOf(plans.filter((plan) => !hasSameTexts(plan)))
  await saveRows(tx, UPDATE_PRODUCTS_WITH_SAME_TEXTS, productsOf(plans.filter(hasSameTexts)))
  await saveRows(tx, SAVE_PRODUCTS, withNewTexts)
  if (withNewTexts.length)
    indexWords(
      tx,
      withNewTexts.map(({ id }) => id),
    )
}

const textsOf = ({ nameI18n, tags, descriptionI18n }: ProductRow) => ({ nameI18n, tags, descriptionI18n })

const hasSameTexts = ({ before, product }: Pick<ProductPlan, 'before' | 'product'>): boolean =>
  before !== null && isDeepStrictEqual(textsOf(before.product), textsOf(product))

/** Upserts variants. New ones get their stock. */
export const saveVariants = (tx: StoreTx, rows: VariantRow[]) => saveRows(tx, SAVE_VARIANTS, rows)

async function saveRows(tx: StoreTx, sql: string, rows: object[]): Promise<void> {
  if (rows.length === 0) return
  await tx.knex.raw(sql, { store: tx.storeId, rows: JSON.stringify(rows.map(toColumns)) })
}

/** Writes bigint as text, which PostgreSQL reads exactly. JSON has no bigint. */
function toColumns(row: object): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row))
    named[columnOf(name)] = typeof value === 'bigint' ? String(value) : value
  return named
}
