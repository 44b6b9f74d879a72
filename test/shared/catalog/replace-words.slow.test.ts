import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import type { Knex } from 'knex'
import { indexWords } from '#shared/catalog/search/product-words.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'

const COUNT = 2_000

interface Plan {
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** The rows that a plan compares and drops in joins. */
const dropped = ({ 'Rows Removed by Join Filter': rows = 0, Plans = [] }: Plan): number =>
  rows + Plans.reduce((total, plan) => total + dropped(plan), 0)

const wordsFrom = (first: number) => Array.from({ length: COUNT }, (_, n) => `w${first + n}`).join(' ')

/** Sets all words of a product. */
const write = ({ knex }: StoreTx, id: string, words: string) =>
  knex.raw(`update products set search_name = ?, search = to_tsvector('simple', ?) where id = ?`, [
    words,
    words,
    id,
  ])

/** The statements on a table that index the words of a product. */
async function statementsOn(store: { id: string }, id: string, table: string) {
  const statements: { sql: string; bindings: Knex.RawBinding[] }[] = []
  await inStore(store.id, async (tx) => {
    tx.knex.on('query', ({ sql, bindings }) => sql.includes(table) && statements.push({ sql, bindings }))
    indexWords(tx, [id])
  })
  return statements
}

for (const table of ['product_words', 'product_lexemes'])
  test(`replacing all words of a product in ${table} does not compare each old word with each new one`, async () => {
    const store = await buildStore()
    const { id } = await buildProduct(store)
    await inStore(store.id, async (tx) => {
      await write(tx, id, wordsFrom(0))
      indexWords(tx, [id])
    })
    const [replace] = await statementsOn(store, id, table)
    if (!replace) assert.fail('no statement')

    const [plan, left] = await inStore(store.id, async (tx) => {
      await write(tx, id, wordsFrom(COUNT))
      const { rows } = await tx.knex.raw(
        `explain (analyze, format json) ${replace.sql.replaceAll(/\$\d+/g, '?')}`,
        replace.bindings,
      )
      return [rows[0]['QUERY PLAN'][0].Plan as Plan, await tx.knex(table).where('product_id', id)]
    })

    assert.ok(dropped(plan) < 10 * COUNT, `${dropped(plan)} comparisons`)
    assert.equal(left.length, COUNT)
  })
