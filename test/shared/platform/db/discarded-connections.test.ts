import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { buildStore } from '#test/support/builders/store.ts'

const LARGE = { name: 'large_in_test', text: "select repeat('x', 100000)" }
const PID = { name: 'pid_in_test', text: 'select pg_backend_pid()::text' }

/** Reads more than the client may read, so that the connection is cut. */
async function readTooMuch({ id }: { id: string }) {
  const client = new WaitingClient(1_000)
  client.storeId = id
  const reading = runForClient(client, () => readInStore(id, LARGE, []))
  await assert.rejects(reading, { code: CommonErrors.responseTooLarge.kind.code })
}

async function connectionOf({ id }: { id: string }) {
  const [[pid] = []] = await readInStore(id, PID, [])
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

test('a store that discards many connections discards none of other stores', async () => {
  const [hostile, other] = [await buildStore(), await buildStore()]
  for (let n = 0; n < 21; n++) await readTooMuch(hostile)
  const kept = await connectionOf(other)

  for (let n = 0; n < 3; n++) {
    await readTooMuch(hostile)
    assert.equal(await connectionOf(other), kept)
  }
  assert.notEqual(await connectionOf(hostile), kept)
})
