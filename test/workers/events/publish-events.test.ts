import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { settleCommission } from '#shared/affiliates/jobs.ts'
import { orderUpdated } from '#shared/orders/events.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { publishNextEvents } from '#shared/platform/events/event-log.ts'
import { type EventKind, emit, publishEvents } from '#shared/platform/events/events.ts'
import { buildStore } from '#test/support/builders/store.ts'
import {
  buildReceiver,
  buildWebhook,
  deliveriesOf,
  moveParcel,
  parcelMoved,
  sequenceOf,
} from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { whileRefusingWrites } from '#test/support/faults/refuse-writes.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { barrier } from '#test/support/races/barrier.ts'
import { publishEvents as handler } from '#workers/events/publish-events.ts'

const receiver = await buildReceiver()
const upTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i + 1))

/** Many concurrent transactions; every third rolls back. Returns the steps that were committed. */
async function changeInParallel(
  store: { id: string },
  count: number,
  write: (tx: StoreTx, step: number) => Promise<unknown>,
) {
  const steps = Array.from({ length: count }, (_, step) => step)
  const results = await Promise.allSettled(
    steps.map((step) =>
      inStore(store.id, async (tx) => {
        await write(tx, step)
        if (step % 3 === 0) throw new Error('rolled back')
      }),
    ),
  )
  return steps.filter((step) => results[step]?.status === 'fulfilled')
}

test('events of concurrent transactions are numbered without gaps; rolled-back ones have no number', async () => {
  const store = await buildStore()
  const publish = () => inStore(store.id, (tx) => publishNextEvents(tx, 7))

  const publishing = Array.from({ length: 12 }, publish)
  const committed = await changeInParallel(store, 60, (tx, step) => emit(tx, parcelMoved, { step }))
  await Promise.all([...publishing, ...Array.from({ length: 12 }, publish)])

  const published = await sequenceOf(store)
  assert.deepEqual(
    published.map(({ sequence }) => sequence),
    upTo(committed.length),
  )
  assert.deepEqual(
    published.map(({ step }) => step).sort((a, b) => a - b),
    committed,
  )
})

test('control: concurrent publishers without the lock on the counter publish events twice', async () => {
  const store = await buildStore()
  for (let step = 0; step < 5; step++) await moveParcel(store, step)
  const meet = barrier(2)
  const publishNaively = () =>
    inStore(store.id, async (tx) => {
      const unpublished = await tx
        .knex('events')
        .where({ store_id: store.id })
        .whereNull('sequence')
        .orderBy('position')
        .select('id')
      await meet()
      for (const [index, { id }] of unpublished.entries())
        await tx
          .knex('events')
          .where({ store_id: store.id, id })
          .update({ sequence: index + 1 })
      return unpublished.length
    })

  const handedOn = await Promise.all([publishNaively(), publishNaively()])

  assert.deepEqual(handedOn, [5, 5])
})

test('concurrent publishers with the lock on the counter publish each event once', async () => {
  const store = await buildStore()
  for (let step = 0; step < 5; step++) await moveParcel(store, step)
  const publish = () => inStore(store.id, async (tx) => (await publishNextEvents(tx, 10)).length)

  const handedOn = await Promise.all([publish(), publish(), publish(), publish()])

  assert.deepEqual(handedOn.sort(), [0, 0, 0, 5])
})

test('events of one store are published in the order of their writing', async () => {
  const store = await buildStore()

  for (let step = 0; step < 20; step++) await moveParcel(store, step)
  await drainJobs()

  assert.deepEqual(
    (await sequenceOf(store)).map(({ step }) => step),
    Array.from({ length: 20 }, (_, step) => step),
  )
})

test('a change does not wait for the counter: only the publisher locks it', async () => {
  const store = await buildStore()
  await moveParcel(store)

  await inStore(store.id, async (tx) => {
    await publishNextEvents(tx, 10)
    // The counter is locked until this transaction ends; another change commits all the same.
    await moveParcel(store)
  })

  assert.equal((await inStore(store.id, (tx) => publishNextEvents(tx, 10))).length, 1)
})

test('more events than one batch are all published', async () => {
  const store = await buildStore()
  for (let i = 0; i < 3; i++)
    await inStore(store.id, async (tx) => {
      for (let step = 0; step < 150; step++) await emit(tx, parcelMoved, { step })
    })

  await drainJobs()

  assert.deepEqual(
    (await sequenceOf(store)).map(({ sequence }) => sequence),
    upTo(450),
  )
})

test('one job publishes the events of many changes, and leaves the jobs of another store', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await Promise.all(Array.from({ length: 20 }, (_, step) => moveParcel(store, step)))
  await moveParcel(other, 1)
  const unfetched = ({ id }: { id: string }) =>
    db()('pgboss.job').where({ name: publishEvents.queue, group_id: id, state: 'created' }).pluck('id')
  assert.deepEqual(
    { ofStore: (await unfetched(store)).length, ofOther: (await unfetched(other)).length },
    { ofStore: 20, ofOther: 1 },
  )

  const run = { jobId: newId(), retry: 0, signal: new AbortController().signal }
  await handler.run({ storeId: store.id }, run)

  assert.deepEqual(
    { ofStore: (await unfetched(store)).length, ofOther: (await unfetched(other)).length },
    { ofStore: 0, ofOther: 1 },
  )
  assert.deepEqual(
    (await sequenceOf(store)).map(({ sequence }) => sequence),
    upTo(20),
  )
  await drainJobs()
})

test('a publication reads the data of small events that have listeners only; listeners get that of large ones', async () => {
  const store = await buildStore()
  const orderId = newId()
  const order = (pad: number) => ({ id: orderId, affiliate_id: newId(), pad: 'p'.repeat(pad) })
  // These events have only the data that the test needs.
  const updated: EventKind = orderUpdated
  const write = () =>
    inStore(store.id, async (tx) => {
      for (const pad of [10, 100_000]) await emit(tx, updated, order(pad))
      await emit(tx, parcelMoved, { step: 1 })
    })
  await write()
  const published = await inStore(store.id, (tx) => publishNextEvents(tx, 10, [orderUpdated.type]))
  await write()

  await handler.run({ storeId: store.id }, { jobId: newId(), retry: 0, signal: new AbortController().signal })

  const sizes = published.map(({ data }) => (data as { pad: string } | null)?.pad.length)
  assert.deepEqual(sizes, [10, undefined, undefined])
  const jobs = await db()('pgboss.job')
    .where({ name: settleCommission.queue, group_id: store.id })
    .pluck('data')
  assert.deepEqual(
    jobs.map((data) => data.orderId),
    [orderId, orderId],
  )
  await discardJobs()
})

test('an event becomes a delivery to each subscribed webhook and to no other', async () => {
  const store = await buildStore()
  const hooks = { all: ['*'], family: ['parcel.*'], exact: ['parcel.moved'], other: ['webhook.disabled'] }
  const built = await Promise.all(
    Object.entries(hooks).map(async ([name, events]) => {
      const { webhook } = await buildWebhook(store, { url: receiver.hookUrl(name), events })
      return [name, webhook] as const
    }),
  )
  const off = await buildWebhook(store, { url: receiver.hookUrl('off'), isActive: false })

  await moveParcel(store)
  await drainJobs()

  for (const [name, webhook] of [...built, ['off', off.webhook] as const]) {
    const expected = ['other', 'off'].includes(name) ? 0 : 1
    assert.equal((await deliveriesOf(store, webhook)).length, expected, name)
  }
})

test('a publisher that dies before the commit publishes nothing; the next one publishes all once', async () => {
  const store = await buildStore()
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('survived') })
  await moveParcel(store, 1)
  await moveParcel(store, 2)

  await whileRefusingWrites('webhook_deliveries', drainJobs)
  assert.deepEqual(await sequenceOf(store), [])
  moveClock(60_000)
  await drainJobs()

  assert.deepEqual(await sequenceOf(store), [
    { sequence: 1n, step: 1 },
    { sequence: 2n, step: 2 },
  ])
  assert.equal((await deliveriesOf(store, webhook)).length, 2)
  assert.equal(receiver.requests('survived').length, 2)
})
