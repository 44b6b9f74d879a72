import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { config } from '#shared/platform/config/config.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { limitPools, limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { until } from '#test/support/races/until.ts'

const LARGE = { name: 'large_in_test', text: "select repeat('x', 100000)" }
const PID = { name: 'pid_in_test', text: 'select pg_backend_pid()::text' }

function clientOf({ id }: { id: string }, network: string, maxReadBytes?: number): WaitingClient {
  const client = new WaitingClient(maxReadBytes)
  client.storeId = id
  client.network = network
  return client
}

/** Reads more than the client may read, so that the connection is cut. */
async function readTooMuch(store: { id: string }, network = '') {
  const reading = runForClient(clientOf(store, network, 1_000), () => readInStore(store.id, LARGE, []))
  await assert.rejects(reading, { code: CommonErrors.responseTooLarge.kind.code })
}

/** Returns the connection that a read of the network uses; without a network, that of a change or job. */
async function connectionOf(store: { id: string }, network?: string) {
  const read = () => readInStore(store.id, PID, [])
  const [[pid] = []] =
    network === undefined ? await read() : await runForClient(clientOf(store, network), read)
  return pid
}

test('a read whose client had left before it began keeps its connection', async () => {
  const store = await buildStore()
  const client = new WaitingClient()
  client.disconnect()
  const kept = await connectionOf(store)

  for (let n = 0; n < 3; n++)
    await assert.rejects(
      runForClient(client, () => readInStore(store.id, PID, [])),
      ClientGone,
    )

  assert.equal(await connectionOf(store), kept)
})

test('clients who discard many connections discard none of other stores', async () => {
  const [hostile, other] = [await buildStore(), await buildStore()]
  for (let n = 0; n < 21; n++) await readTooMuch(hostile)
  const kept = await connectionOf(other)

  for (let n = 0; n < 3; n++) {
    await readTooMuch(hostile)
    assert.equal(await connectionOf(other), kept)
  }
  assert.notEqual(await connectionOf(hostile, ''), kept)
})

test('a network that discards many connections slows neither changes of the store nor its reads by other networks', async () => {
  const store = await buildStore()
  for (let n = 0; n < 21; n++) await readTooMuch(store, 'hostile')
  const ordinary = await connectionOf(store)

  assert.notEqual(await connectionOf(store, 'hostile'), ordinary)
  assert.equal(await connectionOf(store, 'other'), ordinary)
  assert.equal(await connectionOf(store), ordinary)
})

test('many networks that discard 60 connections of a store in a minute move the reads of all clients, and no changes', async () => {
  const store = await buildStore()
  for (let n = 0; n < 61; n++) await readTooMuch(store, `network ${n}`)
  const ordinary = await connectionOf(store)

  assert.notEqual(await connectionOf(store, 'other'), ordinary)
  assert.equal(await connectionOf(store), ordinary)
})

test('one store uses at most half of the second connection pool, which leaves connections to another store', async (t) => {
  const [busy, other] = [await buildStore(), await buildStore()]
  t.after(() => limitStoreConnections(UNLIMITED))
  limitPools(config().DATABASE_POOL, 60_000)
  for (const store of [busy, other]) for (let n = 0; n < 21; n++) await readTooMuch(store)
  const released = Promise.withResolvers<void>()
  let running = 0
  const hold = () =>
    inStore(busy.id, async () => {
      running += 1
      await released.promise
    })
  const held = Array.from({ length: 10 }, () => runForClient(clientOf(busy, ''), hold))
  await until('the store uses its share', async () => running >= 3)

  await connectionOf(other, '')

  assert.equal(running, 3)
  released.resolve()
  await Promise.all(held)
})
