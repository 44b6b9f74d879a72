import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { config } from '#shared/platform/config/config.ts'
import { limitStoreConnections } from '#shared/platform/db/connection-limit.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { buildStore } from '#test/support/build.ts'
import { superuser } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'

const POOL = config().DATABASE_POOL
const ONE = { name: 'one_in_test', text: 'select 1::text' }

afterEach(() => limitStoreConnections(Number.POSITIVE_INFINITY, 0))

/** Begins so many transactions of a store that stay open until `release`, and counts those that run. */
function holdTransactions({ id }: { id: string }, count: number) {
  const released = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let running = 0
  const all = Array.from({ length: count }, () =>
    inStore(id, async () => {
      running += 1
      if (running === Math.min(count, POOL / 2)) begun.resolve()
      await released.promise
    }),
  )
  return {
    begun: begun.promise,
    running: () => running,
    async release() {
      released.resolve()
      await Promise.all(all)
    },
  }
}

test('the transactions of one store leave half of the pool to other stores', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  limitStoreConnections(POOL / 2, 60_000)
  const held = holdTransactions(busy, 2 * POOL)
  await held.begun

  const rows = await readInStore(other.id, ONE, [])
  const running = held.running()
  await held.release()

  assert.deepEqual({ rows, running }, { rows: [['1']], running: POOL / 2 })
  assert.equal(held.running(), 2 * POOL)
})

test('control: without a limit the transactions of one store take the whole pool', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const held = holdTransactions(busy, 2 * POOL)
  await until('the pool is taken', async () => held.running() === POOL)
  let isRead = false
  const reading = readInStore(other.id, ONE, []).then(() => {
    isRead = true
  })

  // On a connection outside the pool, a round trip is done long before.
  await superuser.query('select 1')
  const readWhileHeld = isRead
  await held.release()
  await reading

  assert.equal(readWhileHeld, false)
})

test('work that waits too long for a connection of its store is 503; the next work gets the connection', async () => {
  const store = await buildStore()
  limitStoreConnections(1, 50)
  const held = holdTransactions(store, 1)
  const late = await readInStore(store.id, ONE, []).then(
    () => null,
    (error: CodedError) => error.code,
  )
  await held.release()

  assert.equal(late, 'server.unavailable')
  assert.deepEqual(await readInStore(store.id, ONE, []), [['1']])
})
