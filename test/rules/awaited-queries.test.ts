import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

/** The start of a query as a statement of its own. A query runs only when something awaits it. */
const QUERY_STATEMENT = /^\s+(?:\w+\.(?:in|query)\(|(?:\w+\.)?knex(?:\(|\.raw\()|(?:tx|trx|db)(?:\(|\.raw\())/

/** The ends of lines that the next line continues. */
const CONTINUED = /(?:=>|[([,?:=&|+]|\b(?:return|await|yield))$/

function queryStatements(source: string): string[] {
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line))
  return lines.filter(
    (line, i) => QUERY_STATEMENT.test(line) && !CONTINUED.test(lines[i - 1]?.trimEnd() ?? ''),
  )
}

test('no query is a statement that nothing awaits', async () => {
  const found: string[] = []
  for await (const file of glob('{api,workers,shared,migrations}/**/*.ts'))
    for (const line of queryStatements(await readFile(file, 'utf8'))) found.push(`${file}: ${line.trim()}`)
  assert.deepEqual(found, [], 'await the query, or return it')
})

test('a query that nothing awaits is found, one that is awaited or returned is not', () => {
  assert.deepEqual(queryStatements('{\n  Order.in(tx).patch({})\n}'), ['  Order.in(tx).patch({})'])
  assert.deepEqual(queryStatements("{\n  tx.knex('carts').delete()\n}"), ["  tx.knex('carts').delete()"])
  assert.deepEqual(queryStatements("if (a)\n  tx('orders').del()"), ["  tx('orders').del()"])
  assert.deepEqual(queryStatements('{\n  await Order.in(tx)\n  return tx.raw(sql)\n}'), [])
  assert.deepEqual(queryStatements('const find = (tx) =>\n  Order.in(tx)'), [])
})
