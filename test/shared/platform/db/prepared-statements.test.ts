import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { withConnection } from '#shared/platform/db/knex-internals.ts'
import { MAX_PREPARED, runPipeline } from '#shared/platform/db/pg-internals.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/builders/store.ts'

const statement = (number: number) => ({ name: `many_${number}`, text: `select $1::int + ${number}` })
const NAMES = "select name from pg_prepared_statements where name like 'many%'"

/** Runs the numbered statements on one connection. Returns what each adds to 1, and what stays prepared. */
const runAll = (numbers: number[]) =>
  withConnection(db(), async (connection) => {
    const sums: unknown[] = []
    for (const number of numbers) {
      const [row] = await runPipeline(connection, [{ statement: statement(number), values: ['1'] }])
      sums.push(Number(row?.[0]) - number)
    }
    const { rows } = (await connection.query(NAMES as never)) as { rows: { name: string }[] }
    return { sums, prepared: rows.map(({ name }) => name) }
  })

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

test('a connection keeps its 100 last used statements prepared, and closes older ones', async () => {
  const { sums, prepared } = await runAll([...upTo(MAX_PREPARED), 0, MAX_PREPARED])

  assert.ok(sums.every((sum) => sum === 1))
  assert.equal(prepared.length, MAX_PREPARED)
  assert.ok(prepared.includes('many_0'))
  assert.ok(!prepared.includes('many_1'))
})

test('a statement that is no longer prepared runs again, in a transaction too', async () => {
  const store = await buildStore()
  await runAll(upTo(2 * MAX_PREPARED))

  const again = await runAll(upTo(10))
  const inTransaction = await inStore(store.id, (tx) => tx.prepared<object>(statement(20), [1]))

  assert.ok(again.sums.every((sum) => sum === 1))
  assert.equal(Object.values(inTransaction[0] ?? {})[0], 21)
})
