import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { untilOneWaits } from '#test/support/races/overlap.ts'

const NAMES = {
  name: 'test_manufacturer_names',
  text: 'select name from manufacturers order by name',
}

const manufacturer = (storeId: string, name: string) => ({
  store_id: storeId,
  id: newId(),
  name,
  created_at: new Date(),
  updated_at: new Date(),
})

const buildManufacturer = (storeId: string, name: string) =>
  inStore(storeId, (tx) => tx.knex('manufacturers').insert(manufacturer(storeId, name)))

test('a read returns only rows of its store, in a transaction and in one round trip', async () => {
  const [mine, other] = [await buildStore(), await buildStore()]
  await buildManufacturer(mine.id, 'Mine')
  await buildManufacturer(other.id, 'Other')

  const inTransaction = await inStore(mine.id, (tx) => tx.knex('manufacturers').pluck('name'))
  const pipelined = await readInStore(mine.id, NAMES, [])

  assert.deepEqual(inTransaction, ['Mine'])
  assert.deepEqual(pipelined, [['Mine']])
})

test('the next query on the connection of a pipelined read has no store', async () => {
  const store = await buildStore()
  await buildManufacturer(store.id, 'Mine')

  for (let i = 0; i < 20; i++) await readInStore(store.id, NAMES, [])

  await assert.rejects(db().raw('select name from manufacturers'), /app\.store_id|uuid/)
})

test('a failed read does not affect the next read', async () => {
  const store = await buildStore()
  const failing = { name: 'test_failing', text: 'select 1 / $1::int' }

  await assert.rejects(readInStore(store.id, failing, ['0']), /division by zero/)

  assert.deepEqual(await readInStore(store.id, failing, ['1']), [['1']])
})

test('the pool closes when the running reads have ended', { timeout: 60_000 }, async () => {
  const store = await buildStore()
  const LOCK = "select pg_advisory_lock(hashtext('close'))"
  const rival = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await rival.connect()
  await rival.query(LOCK)

  const reading = readInStore(store.id, { name: 'test_waiting', text: LOCK }, [])
  await untilOneWaits()
  const closing = closeDb()
  await rival.end()

  await Promise.all([reading, closing])
})

test('the database refuses a write into another store', async () => {
  const [mine, other] = [await buildStore(), await buildStore()]

  await assert.rejects(
    inStore(mine.id, (tx) => tx.knex('manufacturers').insert(manufacturer(other.id, 'x'))),
    /row-level security/,
  )
})

test('an error rolls back the transaction', async () => {
  const store = await buildStore()

  await assert.rejects(
    inStore(store.id, async (tx) => {
      await tx.knex('manufacturers').insert(manufacturer(store.id, 'x'))
      throw new Error('Changed my mind')
    }),
    /Changed my mind/,
  )

  assert.deepEqual(await readInStore(store.id, NAMES, []), [])
})

test('a prepared statement runs in the transaction, with typed values and rows', async () => {
  const store = await buildStore()
  const sum = { name: 'test_sum', text: 'select $1::bigint + 1 as next, current_setting($2) as store' }

  const rows = await inStore(store.id, async (tx) => [
    ...(await tx.prepared(sum, [41n, 'app.store_id'])),
    ...(await tx.prepared(sum, [42n, 'app.store_id'])),
  ])

  assert.deepEqual(rows, [
    { next: 42n, store: store.id },
    { next: 43n, store: store.id },
  ])
})

test('a statement runs both in a transaction and pipelined on one connection', async () => {
  const store = await buildStore()
  await buildManufacturer(store.id, 'Mine')
  const statement = { name: 'test_both_ways', text: NAMES.text }

  for (let i = 0; i < 12; i++) {
    assert.deepEqual(await readInStore(store.id, statement, []), [['Mine']])
    assert.deepEqual(await inStore(store.id, (tx) => tx.prepared(statement, [])), [{ name: 'Mine' }])
  }
})

test('work before the commit locks the rows of many transactions last, also when it adds other work', async () => {
  const store = await buildStore()
  const ran: string[] = []

  await inStore(store.id, async (tx) => {
    const note = (name: string) => async () => void ran.push(name)
    tx.beforeCommit(
      'moves',
      async () => {
        ran.push('stock')
        tx.beforeCommit('events', note('event of the stock'))
      },
      'stock',
    )
    tx.beforeCommit('audit', note('audit'), 'end of the audit log')
    tx.beforeCommit('event', note('event'))
    tx.beforeCommit('event', note('event again'))
  })

  assert.deepEqual(ran, ['event again', 'stock', 'event of the stock', 'audit'])
})

test('a statement sent with the commit is committed with the transaction', async () => {
  const store = await buildStore()

  const result = await inStore(store.id, async (tx) => {
    await tx.knex('manufacturers').insert(manufacturer(store.id, 'First'))
    tx.withCommit("update manufacturers set name = name || ' and last'")
    return 'result'
  })

  assert.equal(result, 'result')
  assert.deepEqual(await readInStore(store.id, NAMES, []), [['First and last']])
})

test('when a statement sent with the commit fails, nothing is committed and the connection is usable', async () => {
  const store = await buildStore()

  const failing = inStore(store.id, async (tx) => {
    await tx.knex('manufacturers').insert(manufacturer(store.id, 'Lost'))
    tx.withCommit('select 1 / 0')
  })

  await assert.rejects(failing, /division by zero/)
  for (let i = 0; i < 20; i++)
    assert.deepEqual(await inStore(store.id, (tx) => tx.knex('manufacturers').pluck('name')), [])
})
