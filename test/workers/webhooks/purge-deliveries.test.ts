import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { queues } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { purgeDeliveries } from '#shared/webhooks/jobs.ts'
import { buildStore } from '#test/support/build.ts'
import {
  buildReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
  sequenceOf,
} from '#test/support/build-webhooks.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/jobs.ts'

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
