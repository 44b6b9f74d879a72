import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import {
  executeInStore,
  executeOnPlatform,
  readInStore,
  readOnPlatform,
} from '#shared/platform/db/pipelined-query.ts'
import { sqlState } from '#shared/platform/db/sql-error.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { limitTransactions } from '#shared/platform/db/time-limits.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { pending } from '#test/support/races/overlap.ts'

afterEach(() => limitTransactions())

const HOUR = { statement: HOUR_MS, read: HOUR_MS, lock: HOUR_MS, idleInTransaction: HOUR_MS }

/** Limits that a frozen process exceeds immediately. */
const SHORT = { ...HOUR, idleInTransaction: 100 }

const SLEEP = { name: 'sleep_in_test', text: 'select pg_sleep(60)::text' }
const stateOf = (work: Promise<unknown>) => work.then(() => 'done', sqlState)

test('a statement over the limit is canceled, in a transaction and in a single read', async () => {
  const { id } = await buildStore()
  limitTransactions({ ...HOUR, statement: 100, read: 100 })

  const inTransaction = await stateOf(inStore(id, ({ knex }) => knex.raw(SLEEP.text)))
  const inRead = await stateOf(readInStore(id, SLEEP, []))

  assert.deepEqual({ inTransaction, inRead }, { inTransaction: '57014', inRead: '57014' })
})

test('a statement outside the stores is canceled past the limit, also while it waits for a lock', async () => {
  const store = await buildStore()
  const row = await pending(
    (work) => inStore(store.id, work),
    ({ knex }) => knex('stores').where('id', store.id).forUpdate().first('id'),
  )
  const change = { name: 'rename_in_test', text: 'update stores set name = name where id = $1::uuid' }
  limitTransactions({ ...HOUR, statement: 100 })
  const read = await stateOf(readOnPlatform(SLEEP, []))
  limitTransactions({ ...HOUR, lock: 1_000 })
  const waiting = await stateOf(executeOnPlatform(change, [store.id]))
  row.commit()
  await row.done

  assert.deepEqual({ read, waiting }, { read: '57014', waiting: '55P03' })
})

test('a transaction outside the stores has the limits', async () => {
  const store = await buildStore()
  const row = await pending(
    (work) => inStore(store.id, work),
    ({ knex }) => knex('stores').where('id', store.id).forUpdate().first('id'),
  )
  limitTransactions({ ...HOUR, statement: 100 })
  const sleeping = await stateOf(inPlatform(({ knex }) => knex.raw(SLEEP.text)))
  limitTransactions({ ...HOUR, lock: 100 })
  const waiting = await stateOf(
    inPlatform(({ knex }) => knex('stores').where('id', store.id).forUpdate().first('id')),
  )
  row.commit()
  await row.done

  assert.deepEqual({ sleeping, waiting }, { sleeping: '57014', waiting: '55P03' })
})

test('a read has a limit of its own, a change in one round trip that of statements', async () => {
  const { id } = await buildStore()
  limitTransactions({ ...HOUR, read: 100 })
  const nap = { name: 'nap_in_test', text: 'select pg_sleep(0.3)::text' }

  const read = await stateOf(readInStore(id, nap, []))
  const change = await stateOf(executeInStore(id, nap, []))

  assert.deepEqual({ read, change }, { read: '57014', change: 'done' })
})

test('a wait for a lock over the limit ends, and the request answers 503 with Retry-After', async () => {
  const store = await buildStore()
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = inStore(store.id, async ({ knex }) => {
    await knex.raw('lock table carts in access exclusive mode')
    locked.resolve()
    await release.promise
  })
  await locked.promise
  limitTransactions({ ...HOUR, read: 200, lock: 100 })

  const { status, error_code, headers } = await request('GET /cart', { store, cart: 'x'.repeat(43) })
  limitTransactions()
  release.resolve()
  await holder

  assert.deepEqual(
    { status, error_code, retry: headers.has('Retry-After') },
    { status: 503, error_code: 'server.unavailable', retry: true },
  )
})

for (const [name, limits] of Object.entries({ 'without limits': undefined, 'with limits': SHORT }))
  test(`a transaction of a frozen process ${name} ${limits ? 'loses' : 'keeps'} its locks`, async () => {
    const { id } = await buildStore()
    limitTransactions(limits)
    const frozen = Promise.withResolvers<void>()
    const mayWake = Promise.withResolvers<void>()
    const holder = inStore(id, async ({ knex }) => {
      await knex('stores').where({ id }).forUpdate().first('id')
      frozen.resolve()
      await mayWake.promise
    })
    const ended = stateOf(holder)
    await frozen.promise
    limitTransactions()

    const other = inStore(id, async ({ knex }) => {
      await knex.raw("set local lock_timeout = '2s'")
      await knex('stores').where({ id }).forUpdate().first('id')
    })
    const outcome = await stateOf(other)
    mayWake.resolve()
    await ended

    assert.equal(outcome, limits ? 'done' : '55P03')
  })

test('the limits end with the transaction, and other processes have none', async () => {
  const { id } = await buildStore()

  const { rows } = await inStore(id, ({ knex }) =>
    knex.raw("select current_setting('statement_timeout') as ms"),
  )

  assert.equal(rows[0].ms, '0')
})
