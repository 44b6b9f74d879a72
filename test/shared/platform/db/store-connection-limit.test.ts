import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { config } from '#shared/platform/config/config.ts'
import {
  executeInStore,
  executeOnPlatform,
  readInStore,
  readOnPlatform,
} from '#shared/platform/db/pipelined-query.ts'
import { limitOfPool, limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { runForClient, runForNetwork, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { pending } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'

const POOL = config().DATABASE_POOL
const ONE = { name: 'one_in_test', text: 'select 1::text' }

afterEach(() => limitStoreConnections(UNLIMITED))

/** Begins `count` transactions of a store that stay open until `release`, and counts those that run. */
function holdTransactions({ id }: { id: string }, count: number) {
  const released = Promise.withResolvers<void>()
  let running = 0
  let ended = 0
  const all = Array.from({ length: count }, () =>
    inStore(id, async () => {
      running += 1
      await released.promise
      ended += 1
    }),
  )
  return {
    running: () => running,
    ended: () => ended,
    async release() {
      released.resolve()
      await Promise.all(all)
    },
  }
}

const untilRunning = (count: number, ...held: ReturnType<typeof holdTransactions>[]) =>
  until(
    `${count} transactions run`,
    async () => held.reduce((sum, { running }) => sum + running(), 0) === count,
  )

/** Reads in a store. `isDone` says whether the read has its result. */
function readOne({ id }: { id: string }) {
  let isDone = false
  const done = readInStore(id, ONE, []).then(() => {
    isDone = true
  })
  return { done, isDone: () => isDone }
}

test('the transactions of one store leave half of the pool to other stores', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  limitStoreConnections(limitOfPool(POOL, 60_000))
  const held = holdTransactions(busy, 2 * POOL)
  await untilRunning(POOL / 2, held)

  const rows = await readInStore(other.id, ONE, [])
  const running = held.running()
  await held.release()

  assert.deepEqual({ rows, running }, { rows: [['1']], running: POOL / 2 })
  assert.equal(held.running(), 2 * POOL)
})

test('control: without a limit the transactions of one store take the whole pool', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const held = holdTransactions(busy, 2 * POOL)
  await untilRunning(POOL, held)
  const read = readOne(other)

  // On a connection outside the pool, a round trip is done long before.
  await superuser.query('select 1')
  const isReadWhileHeld = read.isDone()
  await held.release()
  await read.done

  assert.equal(isReadWhileHeld, false)
})

test('the transactions of two stores leave a quarter of the pool to a third and to the platform', async () => {
  const [busy, alsoBusy, third] = [await buildStore(), await buildStore(), await buildStore()]
  limitStoreConnections(limitOfPool(POOL, 60_000))
  const held = [holdTransactions(busy, POOL), holdTransactions(alsoBusy, POOL)]
  await untilRunning(POOL - Math.floor(POOL / 4), ...held)

  const rows = await readInStore(third.id, ONE, [])
  const ofPlatform = await readOnPlatform(ONE, [])
  const ended = held.map((one) => one.ended())
  await Promise.all(held.map((one) => one.release()))

  assert.deepEqual({ rows, ofPlatform, ended }, { rows: [['1']], ofPlatform: [['1']], ended: [0, 0] })
})

const LOCK_ROW = {
  name: 'lock_row_in_test',
  text: 'update stores set name = name where id = $1::uuid returning 1',
}

/** Waits until this many connections wait for a lock. It needs no connection of the pool. */
const untilWaiting = (count: number) =>
  until(`${count} connections wait for a lock`, async () => {
    const { rows } = await superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows.length >= count
  })

/** A transaction of a store that has locked its row of `stores`. */
const lockRow = ({ id }: { id: string }) =>
  pending(
    (work) => inStore(id, work),
    ({ knex }) => knex('stores').where('id', id).forUpdate().first('id'),
  )

test('changes outside the stores that wait for a lock leave half of the pool to stores', async () => {
  const [locked, other] = [await buildStore(), await buildStore()]
  const row = await lockRow(locked)
  limitStoreConnections(limitOfPool(POOL, 60_000))

  const changes = Array.from({ length: 2 * POOL }, () => executeOnPlatform(LOCK_ROW, [locked.id]))
  await untilWaiting(POOL / 2)
  const rows = await readInStore(other.id, ONE, [])
  const ofPlatform = await readOnPlatform(ONE, [])
  row.commit()
  await row.done

  assert.deepEqual({ rows, ofPlatform }, { rows: [['1']], ofPlatform: [['1']] })
  assert.equal((await Promise.all(changes)).length, 2 * POOL)
})

test('changes outside the stores do not wait for the connections that stores share', async () => {
  const [busy, alsoBusy] = [await buildStore(), await buildStore()]
  limitStoreConnections(limitOfPool(POOL, 60_000))
  const row = await lockRow(busy)
  const held = [holdTransactions(busy, POOL), holdTransactions(alsoBusy, POOL)]
  await untilRunning(POOL - Math.floor(POOL / 4) - 1, ...held)

  const waiting = executeOnPlatform(LOCK_ROW, [busy.id])
  await untilWaiting(1)
  const other = await executeOnPlatform(ONE, [])
  row.commit()
  await row.done
  await waiting
  await Promise.all(held.map((one) => one.release()))

  assert.deepEqual(other, [['1']])
})

test('control: without the reserved quarter the transactions of two stores take the whole pool', async () => {
  const [busy, alsoBusy, third] = [await buildStore(), await buildStore(), await buildStore()]
  limitStoreConnections({ ...limitOfPool(POOL, 60_000), shared: Number.POSITIVE_INFINITY })
  const held = [holdTransactions(busy, POOL), holdTransactions(alsoBusy, POOL)]
  await untilRunning(POOL, ...held)
  const read = readOne(third)

  await superuser.query('select 1')
  const isReadWhileHeld = read.isDone()
  await Promise.all(held.map((one) => one.release()))
  await read.done

  assert.equal(isReadWhileHeld, false)
})

test('a released connection goes to the waiting store that uses the fewest', async () => {
  const [busy, late] = [await buildStore(), await buildStore()]
  limitStoreConnections({ ...limitOfPool(POOL, 60_000), perStore: 4, shared: 4 })
  const first = holdTransactions(busy, 2)
  await untilRunning(2, first)
  const others = holdTransactions(busy, 5)
  await untilRunning(4, first, others)
  const ofLate = holdTransactions(late, 3)
  await untilRunning(1, ofLate)

  // The late store has one of five connections, which is one more than all stores share.
  await first.release()
  await untilRunning(2, ofLate)

  assert.equal(others.running(), 2)
  await Promise.all([others.release(), ofLate.release()])
  assert.deepEqual([others.ended(), ofLate.ended()], [5, 3])
})

test('work that waits too long for a connection of its store throws 503; the next work gets the connection', async () => {
  const store = await buildStore()
  limitStoreConnections({ ...limitOfPool(POOL, 50), perStore: 1 })
  const held = holdTransactions(store, 1)
  const late = await readInStore(store.id, ONE, []).then(
    () => null,
    (error: CodedError) => error.code,
  )
  await held.release()

  assert.equal(late, 'server.unavailable')
  assert.deepEqual(await readInStore(store.id, ONE, []), [['1']])
})

test('reads and changes of several networks take turns at the connections of a store; control: work without a network does not', async () => {
  const store = await buildStore()
  limitStoreConnections({ ...limitOfPool(POOL, 60_000), perStore: 1 })
  const serve = async (networkOf: (name: string) => string) => {
    const held = holdTransactions(store, 1)
    await untilRunning(1, held)
    const served: string[] = []
    const read = (name: string) => {
      const client = new WaitingClient()
      client.network = networkOf(name)
      return runForClient(client, () => readInStore(store.id, ONE, [])).then(() => served.push(name))
    }
    const change = (name: string) =>
      runForNetwork(networkOf(name), () => executeInStore(store.id, ONE, [])).then(() => served.push(name))
    const work = [...['flood', 'flood', 'flood'].map(read), ...['buyer', 'other buyer'].map(change)]
    await held.release()
    await Promise.all(work)
    return served
  }

  assert.deepEqual(await serve((name) => name), ['flood', 'buyer', 'other buyer', 'flood', 'flood'])
  assert.deepEqual(await serve(() => ''), ['flood', 'flood', 'flood', 'buyer', 'other buyer'])
})
