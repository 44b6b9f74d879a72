import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { config, resetConfig } from '#shared/platform/config/config.ts'
import { limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { limitTransactions } from '#shared/platform/db/time-limits.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { buildStore } from '#test/support/builders/store.ts'
import '#test/support/database.ts'
import { limitDatabaseUse } from '#workers/platform/limit-database-use.ts'

afterEach(() => {
  limitTransactions()
  limitStoreConnections(UNLIMITED)
  delete process.env.DATABASE_POOL_WAIT_MS
  resetConfig()
})

test('jobs of one store that wait leave connections to a job of another store, and fail with a plain error', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  process.env.DATABASE_POOL_WAIT_MS = '200'
  resetConfig()
  limitDatabaseUse()
  const released = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 2 * config().DATABASE_POOL }, () =>
    inStore(busy.id, () => released.promise).catch((error: unknown) => error),
  )

  const one = await inStore(other.id, (tx) => tx.knex.raw('select 1 as one'))
  const [failure] = await Promise.all(waiting.slice(-1))
  released.resolve()
  const results = await Promise.all(waiting)

  assert.deepEqual(one.rows, [{ one: 1 }])
  assert.ok(failure instanceof Error && !(failure instanceof CodedError))
  assert.equal(results.filter((result) => result === undefined).length, config().DATABASE_POOL / 2)
})

test('the transaction of a job ends when its process freezes, and waits for locks for a limited time', async () => {
  const store = await buildStore()
  limitDatabaseUse()

  const { rows } = await inStore(store.id, ({ knex }) =>
    knex.raw(`select current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`),
  )

  assert.deepEqual(rows, [{ idle: '1min', lock: '15s', statement: '10min' }])
})
