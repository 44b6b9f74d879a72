import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { Caller, CallerGroup, ClientGone, runForCaller } from '#shared/platform/db/caller.ts'
import { limitStoreConnections, UNLIMITED } from '#shared/platform/db/connection-limit.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { executeInStore, readInStore } from '#shared/platform/db/pipelined-query.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { superuser } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'

const SLEEP = { name: 'sleep_in_test', text: 'select pg_sleep(600)::text' }
const NAP = { name: 'nap_in_test', text: 'select pg_sleep(0.5)::text' }
const WAIT = { name: 'wait_in_test', text: 'select pg_advisory_xact_lock(1)::text' }
const PID = { name: 'pid_in_test', text: 'select pg_backend_pid()::text' }

beforeEach(closeDb)

const waitsFor = (event: string) => async (): Promise<boolean> => {
  const { rows } = await superuser.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event = $1 and query = any($2)`,
    [event, [SLEEP, NAP, WAIT].map(({ text }) => text)],
  )
  return rows.length > 0
}
const isAsleep = waitsFor('PgSleep')
const isWaiting = waitsFor('advisory')

const READS: Record<string, (id: string) => Promise<unknown>> = {
  'a single read': (id) => readInStore(id, SLEEP, []),
  'a transaction of a store': (id) => inStore(id, ({ knex }) => knex.raw(SLEEP.text)),
  'a transaction of the platform': () => inPlatform((knex) => knex.raw(SLEEP.text)),
}

for (const [kind, read] of Object.entries(READS))
  test(`${kind} is canceled when its caller leaves, and throws ClientGone`, async () => {
    const { id } = await buildStore()
    const caller = new Caller()
    const reading = assert.rejects(
      runForCaller(caller, () => read(id)),
      ClientGone,
    )
    await until('the statement runs', isAsleep)

    caller.leave()
    await reading

    assert.equal(await isAsleep(), false)
    assert.equal(poolOf(db()).numUsed(), 0)
  })

test('a statement that begins after its caller has disconnected is canceled too', async () => {
  const { id } = await buildStore()
  const caller = new Caller()

  const reading = runForCaller(caller, () =>
    inStore(id, async ({ knex }) => {
      caller.leave()
      await knex.raw(NAP.text)
      await knex.raw(SLEEP.text)
    }),
  )

  await assert.rejects(reading, ClientGone)
})

test('a change in one round trip is made although its caller has left', async () => {
  const { id } = await buildStore()
  const caller = new Caller()
  const changing = runForCaller(caller, () => executeInStore(id, NAP, []))

  caller.leave()

  assert.deepEqual(await changing, [['']])
})

test('a read whose caller has disconnected does not wait for a connection of its store', async () => {
  const { id } = await buildStore()
  limitStoreConnections({ ...UNLIMITED, perStore: 1, waitMs: 60_000 })
  const caller = new Caller()
  const held = Promise.withResolvers<void>()
  const holder = inStore(id, () => held.promise)
  const reading = runForCaller(caller, () => readInStore(id, PID, []))

  caller.leave()

  await assert.rejects(reading, ClientGone)
  held.resolve()
  await holder
  limitStoreConnections(UNLIMITED)
})

/** A cancel that is sent, but arrives only when the test says so. */
function delayCancels(t: TestContext) {
  const prototype = pg.Connection.prototype as unknown as { cancel(pid: number, key: number): void }
  const send = prototype.cancel
  const sent = Promise.withResolvers<() => void>()
  t.mock.method(prototype, 'cancel', function (this: pg.Connection, pid: number, key: number) {
    sent.resolve(() => send.call(this, pid, key))
  })
  return sent.promise
}

/** A read that ends by itself after its cancel was sent. `deliver` makes the cancel arrive. */
async function readBesideLateCancel(t: TestContext, id: string) {
  const cancelSent = delayCancels(t)
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await holder.connect()
  await holder.query('select pg_advisory_lock(1)')
  const caller = new Caller()
  const reading = runForCaller(caller, () => readInStore(id, WAIT, []))
  await until('the statement waits', isWaiting)
  caller.leave()
  const deliver = await cancelSent
  await holder.end()
  await reading
  return deliver
}

const exists = async (pid: string) =>
  (await superuser.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows.length > 0

test('a cancel that arrives late ends no statement of another caller', async (t) => {
  const { id } = await buildStore()
  await closeDb()
  const [[first]] = (await readInStore(id, PID, [])) as [[string]]
  const deliver = await readBesideLateCancel(t, id)

  const [[second]] = (await readInStore(id, PID, [])) as [[string]]
  const next = readInStore(id, NAP, [])
  await until('the next statement runs', isAsleep)
  deliver()

  assert.deepEqual(await next, [['']])
  assert.notEqual(second, first)
  await until('the canceled connection is closed', async () => !(await exists(first)))
})

test('control: on a connection that is used again, a late cancel ends the next statement', async (t) => {
  const { id } = await buildStore()
  await closeDb()
  // The pool does not learn that the connection is not to be used again.
  Object.defineProperty(pg.Client.prototype, '__knex__disposed', {
    get: () => undefined,
    set: () => {},
    configurable: true,
  })
  t.after(() => Reflect.deleteProperty(pg.Client.prototype, '__knex__disposed'))
  const deliver = await readBesideLateCancel(t, id)

  const next = readInStore(id, SLEEP, [])
  await until('the next statement runs', isAsleep)
  deliver()

  await assert.rejects(next, { code: '57014' })
})

test('a caller group leaves when its last caller leaves', () => {
  const group = new CallerGroup()
  const callers = [new Caller(), new Caller()]
  for (const caller of callers) runForCaller(caller, () => group.join())

  callers[0]?.leave()
  const afterOne = group.isGone
  callers[1]?.leave()

  assert.deepEqual({ afterOne, afterBoth: group.isGone }, { afterOne: false, afterBoth: true })
})

test('a caller group with a caller that cannot leave stays', () => {
  const group = new CallerGroup()
  const caller = new Caller()
  group.join()
  runForCaller(caller, () => group.join())

  caller.leave()

  assert.equal(group.isGone, false)
})
