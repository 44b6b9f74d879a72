import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listen } from '#shared/platform/notify/listen.ts'
import { awaitReply, countPendingReplies, sendReply } from '#shared/platform/notify/reply-channel.ts'
import { notifySettled, waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { buildStore } from '#test/support/build.ts'

test('a waiting process hears of a commit and looks again', async () => {
  const store = await buildStore()
  const id = newId()
  let settled = false
  let looks = 0
  const look = async () => {
    looks += 1
    return settled
  }
  const waiting = waitUntilSettled(id, 5_000, look, Boolean)

  await inStore(store.id, async (tx) => {
    settled = true
    await notifySettled(tx, id)
  })

  assert.equal(await waiting, true)
  assert.ok(looks <= 3)
})

test('patience ends with what there is', async () => {
  const answer = await waitUntilSettled(
    newId(),
    20,
    async () => 'under way',
    () => false,
  )

  assert.equal(answer, 'under way')
})

test('an answer of any length comes to all who await it, and stands nowhere', async () => {
  const store = await buildStore()
  const [id, text] = [newId(), 'ü'.repeat(50_000)]
  await listen()
  const waiting = [awaitReply(id, 5_000), awaitReply(id, 5_000)]
  const other = awaitReply(newId(), 50)

  await inStore(store.id, (tx) => sendReply(tx, id, text))

  for (const { answered } of waiting) assert.deepEqual(await answered, { text })
  assert.deepEqual(await other.answered, { missing: 'late' })
  assert.equal(countPendingReplies(), 0)
})

test('who awaits an answer while the connection breaks is told so at once', async () => {
  const client = await listen()
  const { answered } = awaitReply(newId(), 5_000)

  await client.end()

  assert.deepEqual(await answered, { missing: 'lost' })
})
