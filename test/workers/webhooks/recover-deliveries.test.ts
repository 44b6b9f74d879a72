import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { recoverDeliveries } from '#shared/webhooks/jobs.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
  sequenceOf,
} from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()

const loseJobs = () => db().raw("delete from pgboss.job where state in ('created', 'retry')")
const recover = async () => {
  await (await queues()).send(recoverDeliveries.queue, {})
  return drainJobs()
}

test('events whose job was lost are published by the next recovery', async () => {
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('lost-event') })
  await moveParcel(store)
  await loseJobs()

  moveClock(MINUTE_MS + SECOND_MS)
  await recover()

  assert.equal((await sequenceOf(store)).length, 1)
  assert.equal(receiver.requests('lost-event').length, 1)
})

test('a delivery whose job was lost gets one new job from repeated runs', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('lost-job') })
  receiver.behave('lost-job', { status: 500, times: 1 })
  await moveParcel(store)
  await drainJobs()
  await loseJobs()

  moveClock(2 * MINUTE_MS)
  await (await queues()).send(recoverDeliveries.queue, {})
  await recover()

  assert.equal(receiver.requests('lost-job').length, 2)
  assert.equal((await deliveriesOf(store, webhook))[0]?.status, 'succeeded')
})

test('a delivery with a job, or not due yet, is not requeued', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('waiting') })
  receiver.behave('waiting', { status: 500 })
  await moveParcel(store)
  await drainJobs()

  await recover()

  assert.equal(receiver.requests('waiting').length, 1)
  assert.equal((await deliveriesOf(store, webhook))[0]?.attempts.length, 1)
})
