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
import { inStore } from '#shared/platform/db/store-scope.ts'
import { limitTransactions } from '#shared/platform/db/time-limits.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { pending } from '#test/support/races/overlap.ts'

afterEach(() => limitTransactions(0))

const SLEEP = { name: 'sleep_in_test', text: 'select pg_sleep(60)::text' }
const stateOf = (work: Promise<unknown>) => work.then(() => 'done', sqlState)

test('a statement over the limit is canceled, in a transaction and in a single read', async () => {
  const { id } = await buildStore()
  limitTransactions(100)

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
  limitTransactions(100)
  const read = await stateOf(readOnPlatform(SLEEP, []))
  limitTransactions(2_000)
  const waiting = await stateOf(executeOnPlatform(change, [store.id]))
  row.commit()
  await row.done

  assert.deepEqual({ read, waiting }, { read: '57014', waiting: '55P03' })
})

test('a read has a limit of its own, a change in one round trip that of statements', async () => {
  const { id } = await buildStore()
  limitTransactions(60_000, 100)
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
  limitTransactions(200)

  const { status, error_code, headers } = await request('GET /cart', { store, cart: 'x'.repeat(43) })
  limitTransactions(0)
  release.resolve()
  await holder

  assert.deepEqual(
    { status, error_code, retry: headers.has('Retry-After') },
    { status: 503, error_code: 'server.unavailable', retry: true },
  )
})

test('the limits end with the transaction, and other processes have none', async () => {
  const { id } = await buildStore()

  const { rows } = await inStore(id, ({ knex }) =>
    knex.raw("select current_setting('statement_timeout') as ms"),
  )

  assert.equal(rows[0].ms, '0')
})
