import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { discardUnfinishedUpload } from '#shared/imports/jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue, enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { buildStore } from '#test/support/builders/store.ts'

const jobsOf = async (storeId: string) =>
  (await db().raw('select data, group_id from pgboss.job where group_id = ?', [storeId])).rows

test('a job exists after the commit of its change, with its store', async () => {
  const store = await buildStore()

  await inStore(store.id, (tx) => enqueue(tx, publishEvents, {}))

  assert.deepEqual(await jobsOf(store.id), [{ data: { storeId: store.id }, group_id: store.id }])
})

test('a rollback of the change leaves no job', async () => {
  const store = await buildStore()

  await assert.rejects(
    inStore(store.id, async (tx) => {
      await enqueue(tx, publishEvents, {})
      throw new Error('no')
    }),
  )

  assert.deepEqual(await jobsOf(store.id), [])
})

const COUNT = 10

/** Takes the jobs of a store one after the other, as a worker does, and returns their ids. */
async function takeAll(storeId: string): Promise<string[]> {
  const boss = await queues()
  const { queue } = discardUnfinishedUpload
  const taken: string[] = []
  while (taken.length < COUNT) {
    const jobs = await boss.fetch<{ storeId: string }>(queue, { batchSize: 1_000, groupConcurrency: 1 })
    for (const { id, data } of jobs) {
      if (data.storeId === storeId) taken.push(id)
      await boss.complete(queue, id)
    }
  }
  return taken
}

test('the jobs of a store are taken in the order in which they were enqueued', async () => {
  const { id: storeId } = await buildStore()
  const sent: string[] = []
  for (let n = 0; n < COUNT / 2; n++)
    sent.push(await inStore(storeId, (tx) => enqueue(tx, discardUnfinishedUpload, { jobId: newId() })))
  const jobs = Array.from({ length: COUNT / 2 }, () => ({ payload: { jobId: newId() } }))
  await inStore(storeId, (tx) => enqueueAll(tx, discardUnfinishedUpload, jobs))

  const taken = await takeAll(storeId)

  assert.deepEqual(taken.slice(0, sent.length), sent)
  assert.deepEqual(taken, taken.toSorted())
})

test('control: with random ids they are taken in another order', async () => {
  const { id: storeId } = await buildStore()
  const boss = await queues()
  const sent: string[] = []
  for (let n = 0; n < COUNT; n++) {
    const payload = { storeId, jobId: newId() }
    sent.push((await boss.send(discardUnfinishedUpload.queue, payload, { group: { id: storeId } })) ?? '')
  }

  assert.notDeepEqual(await takeAll(storeId), sent)
})
