import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { buildStore } from '#test/support/build.ts'

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
