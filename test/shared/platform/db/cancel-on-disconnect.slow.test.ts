import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { executeInStore, readInStore } from '#shared/platform/db/pipelined-query.ts'
import { limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { ClientGone, ClientGroup, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { until } from '#test/support/races/until.ts'

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
  'a transaction of the platform': () => inPlatform(({ knex }) => knex.raw(SLEEP.text)),
}

for (const [kind, read] of Object.entries(READS))
  test(`${kind} is canceled when its client leaves, and throws ClientGone`, async () => {
    const { id } = await buildStore()
    const client = new WaitingClient()
    const reading = assert.rejects(
      runForClient(client, () => read(id)),
      ClientGone,
    )
    await until('the statement runs', isAsleep)

    client.disconnect()
    await reading

    assert.equal(await isAsleep(), false)
    assert.equal(poolOf(db()).numUsed(), 0)
  })

test('a statement that begins after its client has disconnected is canceled too', async () => {
  const { id } = await buildStore()
  const client = new WaitingClient()

  const reading = runForClient(client, () =>
    inStore(id, async ({ knex }) => {
      client.disconnect()
      await knex.raw(NAP.text)
      await knex.raw(SLEEP.text)
    }),
  )

  await assert.rejects(reading, ClientGone)
})

test('a change in one round trip is made although its client has left', async () => {
  const { id } = await buildStore()
  const client = new WaitingClient()
  const changing = runForClient(client, () => executeInStore(id, NAP, []))

  client.disconnect()

  assert.deepEqual(await changing, [['']])
})

test('a read whose client has disconnected does not wait for a connection of its store', async () => {
  const { id } = await buildStore()
  limitStoreConnections({ ...UNLIMITED, perStore: 1, waitMs: 60_000 })
  const client = new WaitingClient()
  const held = Promise.withResolvers<void>()
  const holder = inStore(id, () => held.promise)
  const reading = runForClient(client, () => readInStore(id, PID, []))

  client.disconnect()

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
  const client = new WaitingClient()
  const reading = runForClient(client, () => readInStore(id, WAIT, []))
  await until('the statement waits', isWaiting)
  client.disconnect()
  const deliver = await cancelSent
  await holder.end()
  await reading
  return deliver
}

const exists = async (pid: string) =>
  (await superuser.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows.length > 0

test('a cancel that arrives late ends no statement of another client', async (t) => {
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

test('a group of clients disconnects when its last client does', () => {
  const group = new ClientGroup()
  const clients = [new WaitingClient(), new WaitingClient()]
  for (const client of clients) runForClient(client, () => group.join())

  clients[0]?.disconnect()
  const afterOne = group.isGone
  clients[1]?.disconnect()

  assert.deepEqual({ afterOne, afterBoth: group.isGone }, { afterOne: false, afterBoth: true })
})

test('a group with a client that cannot disconnect stays', () => {
  const group = new ClientGroup()
  const client = new WaitingClient()
  group.join()
  runForClient(client, () => group.join())

  client.disconnect()

  assert.equal(group.isGone, false)
})
