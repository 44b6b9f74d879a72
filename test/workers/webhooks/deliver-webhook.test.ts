import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { RETRY_DELAYS_MS } from '#shared/webhooks/attempts/retry-schedule.ts'
import { deliverSlowWebhook, deliverWebhook } from '#shared/webhooks/jobs.ts'
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildSilentReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
} from '#test/support/builders/webhooks.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { whileRefusingWrites } from '#test/support/faults/refuse-writes.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { runWorker } from '#test/support/processes/worker.ts'

const receiver = await buildReceiver()

const headersOf = (hook: { headers: object } | undefined) => hook?.headers as Record<string, string>
const webhookNow = (store: { id: string }, id: string) =>
  inStore(store.id, (tx) => Webhook.in(tx).findById(id))

test('an event arrives signed in its envelope, and its delivery succeeds', async () => {
  const store = await buildStore()
  const { webhook, secret } = await buildWebhook(store, { url: receiver.hookUrl('signed') })

  const eventId = await moveParcel(store, 7)
  await drainJobs()

  const [hook, ...more] = receiver.requests('signed')
  assert.equal(more.length, 0)
  const headers = headersOf(hook)
  const body = new StandardWebhook(secret).verify(hook?.body ?? '', headers) as Record<string, unknown>
  assert.equal(headers['webhook-id'], eventId)
  assert.deepEqual(
    { ...body, timestamp: undefined },
    {
      id: eventId,
      type: 'parcel.moved',
      timestamp: undefined,
      api_version: 'v1',
      store_id: store.id,
      sequence: 1,
      data: { step: 7 },
    },
  )
  assert.match(String(body.timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const [delivery] = await deliveriesOf(store, webhook)
  assert.equal(delivery?.status, 'succeeded')
  assert.equal(delivery?.next_attempt_at, null)
  assert.equal(delivery?.attempts[0]?.status_code, 200)
  assert.equal(delivery?.attempts[0]?.response_excerpt, 'ok')
})

test('a failing delivery is attempted ten times in three days with the same id, then exhausted', async () => {
  stopClock()
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('failing') })
  receiver.behave('failing', { status: 500, body: 'no\u0000\u001b[31m way' })
  const eventId = await moveParcel(store)
  await drainJobs()

  let elapsed = 0
  for (const pause of RETRY_DELAYS_MS) {
    const before = receiver.requests('failing').length
    moveClock(elapsed + pause - SECOND_MS)
    await drainJobs()
    assert.equal(receiver.requests('failing').length, before, `no attempt before ${pause} ms have passed`)
    elapsed += pause * 1.1 + SECOND_MS
    moveClock(elapsed)
    await drainJobs()
    assert.equal(receiver.requests('failing').length, before + 1)
  }

  const hooks = receiver.requests('failing')
  assert.deepEqual([...new Set(hooks.map((hook) => headersOf(hook)['webhook-id']))], [eventId])
  assert.equal(new Set(hooks.map((hook) => hook.body)).size, 1)
  const [delivery] = await deliveriesOf(store, webhook)
  assert.equal(delivery?.status, 'exhausted')
  assert.equal(delivery?.attempts.length, 10)
  assert.equal(delivery?.attempts[0]?.error, 'responded with 500')
  assert.equal(delivery?.attempts[0]?.response_excerpt, 'no[31m way')
})

test('Retry-After delays the next attempt, by a day at most', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('busy') })
  receiver.behave('busy', { status: 503, headers: { 'retry-after': '3600' }, times: 1 })
  await moveParcel(store)
  await drainJobs()

  moveClock(HOUR_MS - MINUTE_MS)
  await drainJobs()
  assert.equal(receiver.requests('busy').length, 1)
  moveClock(HOUR_MS + SECOND_MS)
  await drainJobs()

  assert.equal(receiver.requests('busy').length, 2)
  assert.equal((await deliveriesOf(store, webhook))[0]?.status, 'succeeded')
})

test('a redirect is a failed attempt and is not followed', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('moved') })
  receiver.behave('moved', { status: 307, headers: { location: receiver.hookUrl('elsewhere') } })

  await moveParcel(store)
  await drainJobs()

  assert.equal(receiver.requests('elsewhere').length, 0)
  assert.equal((await deliveriesOf(store, webhook))[0]?.attempts[0]?.error, 'responded with 307')
})

test('a 410 response disables the webhook and fails its pending deliveries', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('gone') })
  receiver.behave('gone', { status: 500, times: 1 })
  await moveParcel(store, 1)
  await drainJobs()
  receiver.behave('gone', { status: 410 })
  await moveParcel(store, 2)
  await drainJobs()

  moveClock(MINUTE_MS)
  await drainJobs()
  await moveParcel(store, 3)
  await drainJobs()

  const off = await webhookNow(store, webhook.id)
  assert.equal(off?.isActive, false)
  assert.equal(off?.disabledReason, 'gone')
  assert.equal(receiver.requests('gone').length, 2)
  assert.deepEqual(
    (await deliveriesOf(store, webhook)).map(({ status }) => status),
    ['failed', 'failed'],
  )
})

test('five days without a success disable the webhook and emit webhook.disabled', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('dead') })
  await buildWebhook(store, { url: receiver.hookUrl('watching'), events: ['webhook.disabled'] })
  receiver.behave('dead', { drop: true })
  await moveParcel(store)
  await drainJobs()

  moveClock(5 * DAY_MS - MINUTE_MS)
  await moveParcel(store)
  await drainJobs()
  assert.equal((await webhookNow(store, webhook.id))?.isActive, true)
  moveClock(5 * DAY_MS + MINUTE_MS)
  await moveParcel(store)
  await drainJobs()

  assert.equal((await webhookNow(store, webhook.id))?.disabledReason, 'failing')
  const [delivered] = receiver.requests('watching')
  assert.equal(JSON.parse(delivered?.body ?? '').data.id, webhook.id)
})

test('one success clears the failing state of a webhook', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('mended') })
  receiver.behave('mended', { status: 500, times: 1 })
  await moveParcel(store)
  await drainJobs()
  assert.ok((await webhookNow(store, webhook.id))?.failingSince)

  moveClock(MINUTE_MS)
  await drainJobs()

  assert.equal((await webhookNow(store, webhook.id))?.failingSince, null)
})

test('both secrets sign for a day after a rotation, then the new one alone', async () => {
  const store = await buildStore()
  const { webhook, secret: old } = await buildWebhook(store, { url: receiver.hookUrl('rotated') })
  const { secret: fresh } = await inStore(store.id, (tx) => rotateSecret(tx, webhook.id, { rights: RIGHTS }))
  const signatures = () =>
    headersOf(receiver.requests('rotated').at(-1))['webhook-signature']?.split(' ') ?? []
  const verifies = (secret: string) => {
    const hook = receiver.requests('rotated').at(-1)
    return new StandardWebhook(secret).verify(hook?.body ?? '', headersOf(hook))
  }

  await moveParcel(store)
  await drainJobs()
  assert.equal(signatures().length, 2)
  assert.ok(verifies(old) && verifies(fresh))

  moveClock(DAY_MS + SECOND_MS)
  await moveParcel(store)
  await drainJobs()
  assert.equal(signatures().length, 1)
})

test('a worker that dies before it records the attempt sends the event again with the same id', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('twice') })
  const eventId = await moveParcel(store)

  await whileRefusingWrites('webhook_attempts', drainJobs)
  moveClock(MINUTE_MS)
  await drainJobs()

  const ids = receiver.requests('twice').map((hook) => headersOf(hook)['webhook-id'])
  assert.deepEqual(ids, [eventId, eventId])
  const [delivery] = await deliveriesOf(store, webhook)
  assert.equal(delivery?.status, 'succeeded')
  assert.equal(delivery?.attempts.length, 1)
})

test('a receiver that never responds does not delay deliveries of other stores', async (t) => {
  const silent = await buildSilentReceiver(t)
  const { stop } = await runWorker(t)
  const [stuck, other] = [await buildStore(), await buildStore()]
  await buildWebhook(stuck, { url: silent.url })
  await buildWebhook(other, { url: receiver.hookUrl('prompt') })

  for (let step = 0; step < 40; step++) await moveParcel(stuck, step)
  await silent.waitFor(deliverWebhook.rules.perStore)
  await moveParcel(other)
  await receiver.waitFor('prompt', 1)

  assert.ok(silent.count() < 40)
  await stop(0)
  // What the stopped worker gave back is no matter of the tests that follow.
  await db().raw('delete from pgboss.job where group_id = ?', [stuck.id])
})

test('a delivery to a slow receiver moves to the queue of slow deliveries', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('slow') })
  receiver.behave('slow', { status: 500, times: 1 })
  await moveParcel(store)
  await drainJobs()
  await moveParcel(store)

  const drained = await drainJobs()

  assert.deepEqual(
    drained.map(({ queue }) => queue),
    [publishEvents.queue, deliverSlowWebhook.queue],
  )
  const healthy = await webhookNow(store, webhook.id)
  assert.equal(healthy?.failingSince, null)
})

test('a job other than the scheduled one of the delivery does nothing', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('stray') })
  receiver.behave('stray', { status: 500, times: 1 })
  await moveParcel(store)
  await drainJobs()
  const [delivery] = await deliveriesOf(store, webhook)

  await inStore(store.id, (tx) => enqueue(tx, deliverWebhook, { deliveryId: delivery?.id ?? '' }))
  await drainJobs()

  assert.equal(receiver.requests('stray').length, 1)
})

test('a pending delivery of an event that the webhook no longer covers fails without an attempt', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('narrowed') })
  receiver.behave('narrowed', { status: 500, body: '' })
  await moveParcel(store)
  await drainJobs()
  await inStore(store.id, (tx) =>
    Webhook.in(tx)
      .findById(webhook.id)
      .patch({ events: ['product.*'] }),
  )

  moveClock(HOUR_MS)
  await drainJobs()

  const [delivery] = await deliveriesOf(store, webhook)
  assert.equal(delivery?.status, 'failed')
  assert.equal(delivery?.attempts.length, 1)
  assert.equal(receiver.requests('narrowed').length, 1)
})

test('a deleted store sends no webhooks', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('deleted-store') })
  await moveParcel(store)
  await db()('stores').where('id', store.id).update({ status: 'deleted' })

  await drainJobs()

  assert.equal(receiver.requests('deleted-store').length, 0)
  assert.equal((await deliveriesOf(store, webhook))[0]?.status, 'failed')
})
