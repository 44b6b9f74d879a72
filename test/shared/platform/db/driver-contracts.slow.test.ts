import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import knex from 'knex'
import pg from 'pg'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { connectionOf, poolOf, withConnection } from '#shared/platform/db/knex-internals.ts'
import { cancelStatement, watchStatementEnds } from '#shared/platform/db/pg-internals.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { STORE_SETTINGS } from '#shared/platform/db/transaction-settings.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { until } from '#test/support/races/until.ts'

/*
 * What knex-internals.ts and pg-internals.ts rely on beyond the drivers' public APIs. A failure after an upgrade names
 * the internal that moved: adapt the named function, or keep the old version.
 */

const KNEX = 'knex has changed; see shared/platform/db/knex-internals.ts'
const PG = 'pg has changed; see shared/platform/db/pg-internals.ts'

interface Wire {
  connection: Record<string, unknown> & { parsedStatements?: Record<string, string> }
}

const ONE = { name: 'contract_one', text: 'select $1::text as one' }

// Each test starts with an empty pool, so the first connection is a new one.
beforeEach(closeDb)

test('knex: client.transaction() returns a transaction that sends its first statement by begin()', async (t) => {
  const store = await buildStore()
  await closeDb()
  const sent = t.mock.method(pg.Client.prototype, 'query')

  await inStore(store.id, async () => {})

  const texts = sent.mock.calls.map(({ arguments: [query] }) => {
    const text = typeof query === 'string' ? query : (query as unknown as { text: string }).text
    return text.toLowerCase().replace(/;$/, '')
  })
  assert.deepEqual(
    texts.filter((text) => /begin|set_config|commit/.test(text)),
    [`begin; select set_config('app.store_id', '${store.id}', true), ${STORE_SETTINGS}`, 'commit'],
    `enableStoreTransactions: a transaction does not begin by begin(connection). ${KNEX}`,
  )
})

test('knex: a transaction commits by commit() on trxClient, and ends by _resolver() or rollback()', async (t) => {
  const store = await buildStore()
  await closeDb()
  const sent = t.mock.method(pg.Client.prototype, 'query')

  await inStore(store.id, async (tx) => tx.withCommit('select 1'))
  await assert.rejects(inStore(store.id, async (tx) => tx.withCommit('select 1 / 0')))

  const texts = sent.mock.calls.map(({ arguments: [query] }) =>
    (typeof query === 'string' ? query : (query as unknown as { text: string }).text).toLowerCase(),
  )
  assert.deepEqual(
    texts.filter((text) => /commit|rollback/.test(text)),
    ['select 1; commit', 'select 1 / 0; commit', 'rollback'],
    `commitWith: a transaction does not end as expected. ${KNEX}`,
  )
})

test('knex: client.acquireConnection() and releaseConnection() lend a connection of the pool', async () => {
  const first = await withConnection(db(), async (connection) => connection)
  const second = await withConnection(db(), async (connection) => connection)

  assert.ok(first instanceof pg.Client, `withConnection: a pooled connection is not a pg client. ${KNEX}`)
  assert.equal(second, first, `withConnection: a released connection is not used again. ${KNEX}`)
})

test('knex: client.pool counts its connections and reports who waits for one', async () => {
  const pool = poolOf(db())
  const seen: string[] = []
  for (const event of ['acquireRequest', 'acquireSuccess'] as const)
    pool.on(event, (id) => seen.push(`${event} ${typeof id}`))

  const used = await withConnection(db(), async () => pool.numUsed())

  assert.deepEqual(
    { used, waiting: pool.numPendingAcquires(), seen },
    { used: 1, waiting: 0, seen: ['acquireRequest number', 'acquireSuccess number'] },
    `poolOf: the pool has other figures or events. ${KNEX}`,
  )
  assert.equal(pool.numUsed() + pool.numFree(), 1, `poolOf: a released connection is not free. ${KNEX}`)
})

test('knex: the pool drops a connection that is marked __knex__disposed', async () => {
  const failed = await withConnection(db(), async (connection) => connection)
  await assert.rejects(withConnection(db(), async () => assert.fail('as asked')))

  const next = await withConnection(db(), async (connection) => connection)

  assert.notEqual(next, failed, `withConnection: the pool no longer reads __knex__disposed. ${KNEX}`)
})

test("knex: a transaction's client.acquireConnection() gives the transaction's own connection", async () => {
  const store = await buildStore()

  const pids = await inStore(store.id, async (tx) => {
    const connection = await connectionOf(tx.knex)
    const own = await connection.query({
      name: 'contract_pid',
      text: 'select pg_backend_pid() as pid',
      values: [],
    })
    const { rows } = await tx.knex.raw('select pg_backend_pid() as pid')
    return { own: own.rows, transaction: rows }
  })

  assert.deepEqual(pids.own, pids.transaction, `connectionOf: not the transaction's connection. ${KNEX}`)
})

test('pg: a client calls submit() and the handlers of the query that it is given', () => {
  const { prototype } = pg.Query as unknown as { prototype: Record<string, unknown> }
  const handlers = [
    ...['submit', 'handleDataRow', 'handleCommandComplete', 'handleReadyForQuery', 'handleError'],
    ...['handleRowDescription', 'handlePortalSuspended', 'handleEmptyQuery'],
  ]

  const missing = handlers.filter((name) => typeof prototype[name] !== 'function')

  assert.deepEqual(missing, [], `Pipeline: pg's own query has other handlers. ${PG}`)
})

test('pg: a connection has parse(), bind(), execute(), close(), sync() and a stream', async () => {
  const wire = await withConnection(db(), async (connection) => (connection as unknown as Wire).connection)

  const missing = ['parse', 'bind', 'execute', 'close', 'sync'].filter(
    (name) => typeof wire[name] !== 'function',
  )

  assert.deepEqual(missing, [], `Pipeline.submit: the connection lost a method. ${PG}`)
  assert.equal(
    typeof (wire.stream as { cork?: unknown }).cork,
    'function',
    `Pipeline.submit: no stream. ${PG}`,
  )
})

test('pg: connection.parsedStatements holds the text of each prepared statement by name', async (t) => {
  const store = await buildStore()
  await closeDb()
  const parsed = t.mock.method(pg.Connection.prototype, 'parse')
  const parsesOfOne = () => parsed.mock.calls.filter(({ arguments: [{ name }] }) => name === ONE.name).length

  await readInStore(store.id, ONE, ['a'])
  await inStore(store.id, (tx) => tx.prepared(ONE, ['b']))
  await readInStore(store.id, ONE, ['c'])

  const known = await withConnection(
    db(),
    async (connection) => (connection as unknown as Wire).connection.parsedStatements,
  )
  assert.equal(known?.[ONE.name], ONE.text, `Pipeline: no record of prepared statements. ${PG}`)
  assert.equal(parsesOfOne(), 1, `Pipeline and pg prepared one statement more than once. ${PG}`)
})

test('Objection takes the installed knex as its own', async () => {
  const { default: objection } = await import('objection')
  class Row extends objection.Model {
    static override tableName = 'stores'
  }
  const sql = Row.query(knex({ client: 'pg' }))
    .toKnexQuery()
    .toSQL().sql

  assert.equal(sql, 'select "stores".* from "stores"')
})

test('pg: end() of a client with a statement under way fails the statement immediately', async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const asleep = client.query('select pg_sleep(3600)')

  const ended = client.end()

  await assert.rejects(asleep, /Connection terminated/)
  await ended
})

test('pg: a client knows its server process, and a connection sends a cancel request', async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const asleep = client.query('select pg_sleep(3600)')
  // A cancel request that comes before the statement ends nothing.
  await until('the statement runs', async () => {
    const { rowCount } = await superuser.query(
      "select from pg_stat_activity where pid = $1 and state = 'active'",
      [(client as unknown as { processID: number }).processID],
    )
    return rowCount === 1
  })

  cancelStatement(client)

  await assert.rejects(asleep, { code: '57014' }, `cancelStatement: the statement runs on. ${PG}`)
  await client.end()
})

test("pg: a client's connection emits readyForQuery once a statement or message of statements is answered", async () => {
  const store = await buildStore()
  await closeDb()
  const connection = await withConnection(db(), async (lent) => lent)
  let count = 0
  const unwatch = watchStatementEnds(connection, () => {
    count += 1
  })

  await db().raw('select 1')
  await readInStore(store.id, ONE, ['1'])
  unwatch()
  await db().raw('select 1')

  assert.equal(count, 2, `watchStatementEnds: an answered statement is not reported. ${PG}`)
})
