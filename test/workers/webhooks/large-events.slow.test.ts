import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { JOB_TABLE } from '#shared/platform/jobs/job-table.ts'
import { deliverWebhook } from '#shared/webhooks/jobs.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildSilentReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
} from '#test/support/builders/webhooks.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { runWorker } from '#test/support/processes/worker.ts'
import { until } from '#test/support/races/until.ts'

const receiver = await buildReceiver()

/** Emits events whose bodies have so many bytes, at least. */
async function emitEvents(store: { id: string }, count: number, bytes: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await moveParcel(store)
  await inStore(store.id, (tx) =>
    tx.knex.raw(
      `update events set data = data || jsonb_build_object('text', repeat('x', ?::integer)) where store_id = ?`,
      [bytes, store.id],
    ),
  )
}

const countRunning = async (store: { id: string }): Promise<number> => {
  const { rows } = await db().raw(
    `select count(*)::integer as count from ${JOB_TABLE} where name = ? and group_id = ? and state = 'active'`,
    [deliverWebhook.queue, store.id],
  )
  return rows[0].count
}

for (const [title, bytes, requests] of [
  ['a store sends four large events at a time', 100_000, 4],
  ['control: a store sends as many small events at a time as it may', 1_000, 32],
] as const)
  test(title, async (t) => {
    const silent = await buildSilentReceiver(t)
    const store = await buildStore()
    await buildWebhook(store, { url: silent.url })
    await emitEvents(store, 40, bytes)

    await runWorker(t)
    await silent.waitFor(requests)
    await until('32 deliveries run', async () => (await countRunning(store)) === 32)

    assert.equal(silent.count(), requests)
  })

test('a webhook whose large event waits for those of four stores is not marked as slow', async (t) => {
  const silent = await buildSilentReceiver(t)
  const other = await buildStore()
  for (let n = 0; n < 4; n++) {
    const busy = await buildStore()
    await buildWebhook(busy, { url: silent.url })
    await emitEvents(busy, 5, 100_000)
  }
  await runWorker(t)
  await silent.waitFor(16)
  const { webhook } = await buildWebhook(other, { url: receiver.hookUrl('waiting') })

  await emitEvents(other, 1, 100_000)
  await receiver.waitFor('waiting', 1)

  const found = await inStore(other.id, (tx) => Webhook.in(tx).findById(webhook.id))
  assert.equal(found?.isSlow, false)
})

test('large events for silent receivers of one store delay no large event of another', async (t) => {
  const silent = await buildSilentReceiver(t)
  const [busy, other] = [await buildStore(), await buildStore()]
  for (let n = 0; n < 5; n++) await buildWebhook(busy, { url: silent.url })
  await emitEvents(busy, 8, 100_000)
  await runWorker(t)
  await silent.waitFor(4)
  await buildWebhook(other, { url: receiver.hookUrl('prompt') })

  await emitEvents(other, 12, 100_000)
  await receiver.waitFor('prompt', 12)

  assert.equal(silent.count(), 4)
})

test('a large event arrives whole', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('large') })
  await emitEvents(store, 1, 200_000)

  await drainJobs()

  const [hook] = receiver.requests('large')
  assert.equal(JSON.parse(hook?.body ?? '').data.text.length, 200_000)
  assert.equal((await deliveriesOf(store, webhook))[0]?.status, 'succeeded')
})
