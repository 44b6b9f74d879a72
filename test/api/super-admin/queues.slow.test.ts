import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DEAD_LETTERS } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { type BuiltAccount, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'

let root: BuiltAccount
let store: BuiltStore
before(async () => {
  root = await buildSuperAdmin()
  store = await buildStore()
})

const call = (line: string, body?: unknown) =>
  request(line, { token: root.token, ...(body === undefined ? {} : { body }) })
const queue = async (name: string) =>
  (await call('GET /super-admin/queues')).data.find((one: { name: string }) => one.name === name)

/** Makes a job fail with its retries exhausted; returns its id. */
async function failJob(message: string): Promise<string> {
  const id = await inStore(store.id, (tx) => enqueue(tx, sendRefund, { refundId: newId() }))
  await db().raw('update pgboss.job set retry_limit = 0 where id = ?', [id])
  const boss = await queues()
  await boss.fetch(sendRefund.queue, { batchSize: 100 })
  await boss.fail(sendRefund.queue, id, { message })
  return id
}

test('the list shows ready and deferred jobs of each queue', async () => {
  const before = await queue(sendRefund.queue)
  await inStore(store.id, async (tx) => {
    await enqueue(tx, sendRefund, { refundId: newId() })
    await enqueue(tx, sendRefund, { refundId: newId() }, { startAfter: new Date(Date.now() + 3_600_000) })
  })

  const { ready, deferred, oldest_ready_at } = await queue(sendRefund.queue)

  assert.deepEqual({ ready, deferred }, { ready: before.ready + 1, deferred: before.deferred + 1 })
  assert.match(oldest_ready_at, /^\d{4}-/)
  assert.equal(await queue(DEAD_LETTERS), undefined)
})

test('a dead job is listed with its failure, and a redrive moves it back', async () => {
  const id = await failJob('The gateway did not answer')
  const listed = await call(`GET /super-admin/queues/${sendRefund.queue}/failed`)
  assert.equal(listed.meta.total, 1)
  const [letter] = listed.data
  assert.equal(letter.job_id, id)
  assert.equal(letter.payload.storeId, store.id)
  assert.match(JSON.stringify(letter.failure), /did not answer/)
  assert.equal((await queue(sendRefund.queue)).dead_letters, 1)

  const { data } = await call(`POST /super-admin/queues/${sendRefund.queue}/redrive`, { ids: [letter.id] })

  assert.deepEqual(data, { moved: 1 })
  assert.equal((await queue(sendRefund.queue)).dead_letters, 0)
  const log = await call('GET /super-admin/audit-log')
  assert.deepEqual(log.data[0].resource, { type: 'queues', id: sendRefund.queue })
  assert.deepEqual(
    { store_id: log.data[0].store_id, after: log.data[0].after },
    { store_id: null, after: { moved: 1 } },
  )
})

test('an unknown queue returns queue.not_found; staff get 401', async () => {
  assert.equal((await call('GET /super-admin/queues/nowhere/failed')).error_code, 'queue.not_found')
  assert.equal((await call('POST /super-admin/queues/nowhere/redrive', {})).error_code, 'queue.not_found')
  const { token } = await buildStaff(store, { role: 'owner' })
  assert.equal((await request('GET /super-admin/queues', { token })).status, 401)
})
