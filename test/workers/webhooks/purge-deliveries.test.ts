import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { deleteWebhook } from '#shared/webhooks/delete-webhook.ts'
import { purgeDeliveries } from '#shared/webhooks/jobs.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
  sequenceOf,
} from '#test/support/builders/webhooks.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()

test('the purge deletes deliveries 30 days after their end and keeps their events', async () => {
  stopClock()
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('old') })
  await moveParcel(store)
  await drainJobs()
  const purge = async () => {
    await (await queues()).send(purgeDeliveries.queue, {})
    await drainJobs()
    return (await deliveriesOf(store, webhook)).length
  }

  moveClock(30 * DAY_MS - SECOND_MS)
  assert.equal(await purge(), 1)
  moveClock(30 * DAY_MS + 2 * SECOND_MS)
  assert.equal(await purge(), 0)

  assert.equal((await sequenceOf(store)).length, 1)
})

test('the purge deletes deleted webhooks when their last delivery is gone, and keeps others', async () => {
  stopClock()
  const store = await buildStore()
  const { webhook: kept } = await buildWebhook(store, { url: receiver.hookUrl('kept') })
  const { webhook: used } = await buildWebhook(store, { url: receiver.hookUrl('used') })
  await moveParcel(store)
  await drainJobs()
  const { webhook: unused } = await buildWebhook(store, { url: receiver.hookUrl('unused') })
  for (const { id } of [used, unused]) await inStore(store.id, (tx) => deleteWebhook(tx, id))
  const purge = async () => {
    await (await queues()).send(purgeDeliveries.queue, {})
    await drainJobs()
    const webhooks = await inStore(store.id, (tx) => Webhook.in(tx))
    return webhooks.map(({ id }) => id)
  }

  const first = await purge()
  moveClock(30 * DAY_MS + 2 * SECOND_MS)
  const later = await purge()

  assert.deepEqual(first.toSorted(), [kept.id, used.id].toSorted())
  assert.deepEqual(later, [kept.id])
})
