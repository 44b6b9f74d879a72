import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listen, stopListening } from '#shared/platform/notify/listen.ts'
import { awaitReply, countPendingReplies, sendReply } from '#shared/platform/notify/reply-channel.ts'
import { notifySettled, waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { buildStore } from '#test/support/builders/store.ts'

test('waitUntilSettled reads again at the notification of a commit', async () => {
  const store = await buildStore()
  const id = newId()
  let settled = false
  let reads = 0
  const read = async () => {
    reads += 1
    return settled
  }
  const waiting = waitUntilSettled(id, 5_000, read, Boolean)

  await inStore(store.id, async (tx) => {
    settled = true
    await notifySettled(tx, id)
  })

  assert.equal(await waiting, true)
  assert.ok(reads <= 3)
})

test('after the time-out waitUntilSettled returns the row as it is', async () => {
  const row = await waitUntilSettled(
    newId(),
    20,
    async () => 'in progress',
    () => false,
  )

  assert.equal(row, 'in progress')
})

test('a waiter survives a broken connection, and reads again when there is a new one', async () => {
  const client = await listen()
  let settled = false
  const waiting = waitUntilSettled(newId(), 10_000, async () => settled, Boolean)

  await client.end()
  settled = true

  assert.equal(await waiting, true)
})

test('stopListening also ends a connection that cannot be opened', async (t) => {
  await stopListening()
  const database = process.env.DATABASE_URL
  t.after(() => setDatabase(database))
  setDatabase(`${database}_missing`)
  const opening = listen()

  await Promise.all([assert.rejects(opening, { code: '3D000' }), stopListening()])
})

function setDatabase(url: string | undefined): void {
  process.env.DATABASE_URL = url
  resetConfig()
}

test('a reply of several parts reaches all its waiters and no other', async () => {
  const store = await buildStore()
  const [id, text] = [newId(), 'ü'.repeat(50_000)]
  await listen()
  const waiting = [awaitReply(id, 5_000), awaitReply(id, 5_000)]
  const other = awaitReply(newId(), 50)

  await inStore(store.id, (tx) => sendReply(tx, id, text))

  for (const { reply } of waiting) assert.deepEqual(await reply, { text })
  assert.deepEqual(await other.reply, { missing: 'late' })
  assert.equal(countPendingReplies(), 0)
})

test('a broken connection ends the wait for a reply immediately', async () => {
  const client = await listen()
  const { reply } = awaitReply(newId(), 5_000)

  await client.end()

  assert.deepEqual(await reply, { missing: 'lost' })
})
