import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS, inMs, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { deleteWebhook } from '#shared/webhooks/delete-webhook.ts'
import { newDelivery, WebhookDelivery } from '#shared/webhooks/deliveries/delivery.ts'
import { enqueueAttempts } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import { findDeliveryOfJob } from '#shared/webhooks/deliveries/find-delivery-of-job.ts'
import { recordHealthyAttempt } from '#shared/webhooks/deliveries/record-healthy-attempt.ts'
import { redeliverFailed } from '#shared/webhooks/deliveries/redeliver-failed.ts'
import { sendTest } from '#shared/webhooks/deliveries/send-test.ts'
import { WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { deliverSlowWebhook, deliverWebhook, recoverDeliveries } from '#shared/webhooks/jobs.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildSilentReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
  parcelMoved,
} from '#test/support/builders/webhooks.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { runWorker } from '#test/support/processes/worker.ts'
import { until } from '#test/support/races/until.ts'
import { publishEvents } from '#workers/events/publish-events.ts'
import { recoverDeliveries as recoverHandler } from '#workers/webhooks/recover-deliveries.ts'

const receiver = await buildReceiver()
const QUEUES = [deliverWebhook.queue, deliverSlowWebhook.queue]

type Store = { id: string }

const moveParcels = (store: Store, count: number) =>
  inStore(store.id, (tx) =>
    emitAll(
      tx,
      parcelMoved,
      Array.from({ length: count }, (_, step) => ({ step })),
    ),
  )

/** Emits events and publishes them, without sending a delivery. */
async function publishParcels(store: Store, count: number): Promise<string[]> {
  const ids = await moveParcels(store, count)
  await drainJobs([publishEvents])
  return ids
}

/** The most waiting jobs of a webhook of the store: those due now, and those due later. */
async function mostJobs(store: Store) {
  const { rows } = await superuser.query<{ due: number; later: number }>(
    `select coalesce(max(due), 0)::int as due, coalesce(max(later), 0)::int as later from (
       select count(*) filter (where d.next_attempt_at <= $3) as due,
         count(*) filter (where d.next_attempt_at > $3) as later
       from pgboss.job j join webhook_deliveries d on d.id = (j.data->>'deliveryId')::uuid
       where d.store_id = $1 and j.name = any($2) and j.state in ('created', 'retry') and d.job_id = j.id
       group by d.webhook_id) webhook`,
    [store.id, QUEUES, inMs(0)],
  )
  return rows[0]
}

/** The number of a store's deliveries with each status. */
async function statusesOf(store: Store): Promise<Record<string, number>> {
  const rows = await inStore(store.id, (tx) =>
    tx.knex('webhook_deliveries').where('store_id', store.id).groupBy('status').select('status').count(),
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}

const countHeld = (store: Store): Promise<number> =>
  inStore(store.id, (tx) =>
    WebhookDelivery.in(tx).where('status', 'pending').whereNull('job_id').resultSize(),
  )

const idsAt = (hook: string) => receiver.requests(hook).map(({ headers }) => String(headers['webhook-id']))

const recover = async () => {
  await (await queues()).send(recoverDeliveries.queue, {})
  await drainJobs([recoverHandler])
}

test('a webhook with many deliveries has jobs for a window of them, and all are delivered once', async (t: TestContext) => {
  const store = await buildStore()
  for (const hook of ['window-a', 'window-b']) await buildWebhook(store, { url: receiver.hookUrl(hook) })
  const events = await publishParcels(store, 1_000)
  const published = await mostJobs(store)

  const { stop } = await runWorker(t)
  let mostDue = 0
  await until('all are delivered', async () => {
    mostDue = Math.max(mostDue, (await mostJobs(store))?.due ?? 0)
    return (await statusesOf(store)).succeeded === 2_000
  })
  await stop()

  assert.deepEqual(published, { due: WINDOW, later: 0 })
  assert.ok(mostDue <= WINDOW, `${mostDue} jobs`)
  for (const hook of ['window-a', 'window-b']) assert.deepEqual(idsAt(hook).sort(), events.toSorted())
})

test('control: without the window, each delivery has a job', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('naive') })
  const events = await publishParcels(store, 300)
  await discardJobs()

  await inStore(store.id, async (tx) => {
    await WebhookDelivery.in(tx).delete()
    const rows = events.map((id) => newDelivery({ id, type: parcelMoved.type }, webhook.id))
    await WebhookDelivery.in(tx).insert(rows)
    await enqueueAttempts(
      tx,
      rows.map((delivery) => ({ delivery, webhook })),
    )
  })

  assert.deepEqual(await mostJobs(store), { due: 300, later: 0 })
  await discardJobs()
})

test('deliveries of several batches share the window; a test event bypasses it', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('shared') })
  for (let round = 0; round < 3; round++) await publishParcels(store, WINDOW - 10)

  const { id } = await inStore(store.id, (tx) => sendTest(tx, webhook.id))
  await drainJobs([publishEvents])

  assert.deepEqual(await mostJobs(store), { due: WINDOW + 1, later: 0 })
  assert.equal(await countHeld(store), 2 * WINDOW - 30)
  await drainJobs()
  const delivery = await inStore(store.id, (tx) => WebhookDelivery.in(tx).findById(id))
  assert.equal(delivery?.status, 'succeeded')
  assert.deepEqual(await statusesOf(store), { succeeded: 3 * (WINDOW - 10) + 1 })
})

test('retries of a refusing receiver have a window of jobs, and each is made once it is due', async () => {
  stopClock()
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('refusing') })
  receiver.behave('refusing', { status: 503, headers: { 'retry-after': '3600' }, times: 300 })
  const events = await publishParcels(store, 300)

  await drainJobs()
  const afterFirst = await mostJobs(store)
  moveClock(HOUR_MS + SECOND_MS)
  await drainJobs()

  assert.deepEqual(afterFirst, { due: 0, later: WINDOW })
  assert.deepEqual(await statusesOf(store), { succeeded: 300 })
  assert.deepEqual(idsAt('refusing').sort(), [...events, ...events].sort())
})

test('a held retry that is due before all jobs of its webhook is enqueued by the next recovery', async () => {
  stopClock()
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('early') })
  receiver.behave('early', { status: 503, headers: { 'retry-after': '3600' }, times: WINDOW })
  await publishParcels(store, WINDOW)
  await drainJobs()
  receiver.behave('early', { status: 500, times: 1 })
  await moveParcel(store)
  await drainJobs()
  const held = await countHeld(store)

  moveClock(MINUTE_MS)
  await recover()
  await drainJobs()

  assert.equal(held, 1)
  assert.deepEqual(await statusesOf(store), { pending: WINDOW, succeeded: 1 })
  await discardJobs()
})

test('a backlog whose jobs were all lost is delivered after the next recovery', async () => {
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('lost-window') })
  const events = await publishParcels(store, 3 * WINDOW)
  await discardJobs()

  moveClock(MINUTE_MS + SECOND_MS)
  await recover()
  const recovered = await mostJobs(store)
  await drainJobs()

  assert.deepEqual(recovered, { due: WINDOW, later: 0 })
  assert.deepEqual(idsAt('lost-window').sort(), events.toSorted())
})

test('a recovery leaves a backlog alone whose window has jobs', async () => {
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('living') })
  await publishParcels(store, 2 * WINDOW)

  moveClock(MINUTE_MS + SECOND_MS)
  await recover()

  assert.deepEqual(await mostJobs(store), { due: WINDOW, later: 0 })
  assert.equal(await countHeld(store), WINDOW)
  await drainJobs()
  assert.equal(new Set(idsAt('living')).size, idsAt('living').length)
})

for (const { condition, hook, end } of [
  {
    condition: 'disabled',
    hook: 'disabled',
    end: (store: Store, id: string) =>
      inStore(store.id, (tx) => Webhook.in(tx).findById(id).patch({ isActive: false })),
  },
  {
    condition: 'deleted',
    hook: 'deleted',
    end: (store: Store, id: string) => inStore(store.id, (tx) => deleteWebhook(tx, id)),
  },
])
  test(`the backlog of a ${condition} webhook fails without an attempt`, async () => {
    const store = await buildStore()
    const { webhook } = await buildWebhook(store, { url: receiver.hookUrl(hook) })
    await publishParcels(store, 3 * WINDOW)
    await end(store, webhook.id)

    await drainJobs()

    assert.deepEqual(await statusesOf(store), { failed: 3 * WINDOW })
    assert.equal(receiver.requests(hook).length, 0)
  })

test('the backlog of a webhook that does not respond does not delay another webhook of its store', async (t: TestContext) => {
  const silent = await buildSilentReceiver(t)
  const store = await buildStore()
  const { webhook: stuck } = await buildWebhook(store, { url: silent.url })
  await inStore(store.id, (tx) => Webhook.in(tx).findById(stuck.id).patch({ isSlow: true }))
  await publishParcels(store, 500)
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('lively') })
  const { stop } = await runWorker(t)
  await silent.waitFor(deliverSlowWebhook.rules.perStore)

  await moveParcels(store, 3)
  await receiver.waitFor('lively', 3)
  await until('the deliveries are recorded', async () =>
    (await deliveriesOf(store, webhook)).every(({ status }) => status === 'succeeded'),
  )

  assert.ok(silent.count() < 500)
  await stop(0)
  await discardJobs()
})

test('failed deliveries that are sent again share the window', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('again') })
  await publishParcels(store, 3 * WINDOW)
  await inStore(store.id, (tx) =>
    WebhookDelivery.in(tx).patch({ status: 'exhausted', nextAttemptAt: null, jobId: null }),
  )
  await discardJobs()

  const again = await inStore(store.id, (tx) => redeliverFailed(tx, webhook.id, {}))
  const jobs = await mostJobs(store)
  await drainJobs()

  assert.deepEqual(again, { deliveries: 3 * WINDOW, left: 0 })
  assert.deepEqual(jobs, { due: WINDOW, later: 0 })
  assert.deepEqual(await statusesOf(store), { succeeded: 3 * WINDOW })
})

test('an attempt of a healthy webhook without a backlog is recorded by one statement', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('healthy') })
  await publishParcels(store, 1)
  const [delivery] = await inStore(store.id, (tx) => WebhookDelivery.in(tx).where('webhook_id', webhook.id))
  const found = await findDeliveryOfJob(store.id, delivery?.id ?? newId(), delivery?.jobId ?? newId())
  assert.ok(found)
  const answered = {
    at: inMs(0),
    statusCode: 200,
    durationMs: 1,
    responseExcerpt: 'ok',
    error: null,
    retryAfterMs: null,
  }

  const statements = await countStatements(() => recordHealthyAttempt(store.id, found, answered))

  // One message sets the store and records the attempt.
  assert.equal(statements, 2)
  assert.deepEqual(await statusesOf(store), { succeeded: 1 })
  await discardJobs()
})
