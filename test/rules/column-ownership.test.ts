import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { VARIANT_TYPES } from '#shared/catalog/import/rows/rows.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { blankComments } from '#test/rules/support/source-text.ts'
import { readSources } from '#test/rules/support/sources.ts'
import { COLUMNS_BY_OWNER } from '#test/rules/support/table-owners.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'

const folders = await Promise.all(['api', 'shared', 'workers', 'migrations/seeds'].map(readSources))
const sources = folders.flat().map(({ path, text }) => ({ path, text: blankComments(text) }))

const toCamel = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Finds `set stock_held = …` in SQL, and `.patch({ stockHeld: … })` and the like in code. */
function findWrites(text: string, columns: string[]): string[] {
  const names = columns.flatMap((column) => [column, toCamel(column)]).join('|')
  const inSql = text.matchAll(new RegExp(`\\b(?:${columns.join('|')})\\s*=(?![=>])`, 'g'))
  const inCode = text.matchAll(
    new RegExp(`\\.(?:patch|update|insert|increment|decrement)\\w*\\((?:\\{[^}]*|')\\b(?:${names})\\b`, 'g'),
  )
  return [...inSql, ...inCode].map(([all]) => all)
}

/** The columns that `update table … set` assigns in SQL. */
function assignedColumns(text: string, table: string): string[] {
  const updates = text.matchAll(
    new RegExp(`\\bupdate ${table}\\b[^\`]*?\\bset\\b([^\`]*?)\\b(?:from|where)\\b`, 'g'),
  )
  return [...updates].flatMap(([, list = '']) =>
    [...list.matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column = '']) => column),
  )
}

test('control: the rule finds a write of a column in SQL and in code', () => {
  const columns = ['stock_held']
  for (const code of [
    'raw(`update product_variants set stock_held = 1`)',
    'await ProductVariant.in(tx).patch({ updatedAt, stockHeld: 1 })',
    "await tx.knex('product_variants').increment('stock_held', 1)",
  ])
    assert.equal(findWrites(code, columns).length, 1, code)
  assert.deepEqual(findWrites('select stock_held from product_variants where stock_held > 0', columns), [])
  const update = 'raw(`update product_variants v set a = (b = 1)::int,\n c = 2 from d where e = 3`)'
  assert.deepEqual(assignedColumns(update, 'product_variants'), ['a', 'c'])
})

for (const [owner, tables] of Object.entries(COLUMNS_BY_OWNER))
  for (const [table, columns] of Object.entries(tables)) {
    test(`only ${owner} writes ${columns.join(', ')} of ${table}`, () => {
      const others = sources.filter(({ path }) => !path.startsWith(`shared/${owner}/`))
      const offences = others.flatMap(({ path, text }) =>
        findWrites(text, columns).map((write) => `${path}: ${write}`),
      )
      assert.deepEqual(offences, [])
    })

    test(`${owner} writes no other columns of ${table}`, () => {
      const own = sources.filter(({ path }) => path.startsWith(`shared/${owner}/`))
      const assigned = own.flatMap(({ text }) => assignedColumns(text, table))
      assert.deepEqual([...new Set(assigned)].toSorted(), columns.toSorted())
    })
  }

test('the model of a variant and the import leave the stock as it is', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 3 }] })
  const id = variants[0]?.id ?? ''
  await inStore(store.id, (tx) =>
    ProductVariant.in(tx)
      .findById(id)
      .patch({ position: 1, stockOnHand: 9, stockAllocated: 9, stockHeld: 9 }),
  )
  assert.deepEqual(await stockOf(store, id), { onHand: 3, allocated: 0, held: 0 })
  const imported = Object.keys(VARIANT_TYPES)
  for (const column of ['stockOnHand', 'stockAllocated', 'stockHeld']) assert.ok(!imported.includes(column))
})
