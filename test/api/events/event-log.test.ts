import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildReceiver, buildWebhook, moveParcel } from '#test/support/builders/webhooks.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()
const store = await buildStore()
const { token } = await buildStaff(store, { role: 'administrator' })
const read = (query: string, by = token) => request(`GET /admin/events?${query}`, { token: by })
const steps = (answer: { data: { data: { step: number } }[] }) => answer.data.map(({ data }) => data.step)

test('GET /admin/events?after= returns the events after that sequence', async () => {
  for (let step = 1; step <= 5; step++) await moveParcel(store, step)
  await drainJobs()

  const first = await read('limit=2')
  const rest = await read(`after=${first.data[1].sequence}`)

  assert.deepEqual(steps(first), [1, 2])
  assert.deepEqual(steps(rest), [3, 4, 5])
  assert.deepEqual((await read('after=9007199254740991')).data, [])
})

test('an event in the log equals the body of its webhook', async () => {
  await buildWebhook(store, { url: receiver.hookUrl('said') })
  await moveParcel(store, 9)
  await drainJobs()

  const { data } = await read('after=5')

  assert.deepEqual(JSON.parse(receiver.requests('said')[0]?.body ?? ''), data[0])
})

test('the log has neither unpublished events nor those of another store', async () => {
  const other = await buildStore()
  const admin = await buildStaff(other, { role: 'administrator' })
  await moveParcel(other, 1)

  assert.deepEqual((await read('', admin.token)).data, [])
})

test('a cursor or limit out of bounds returns 422, a missing right 403', async () => {
  for (const query of ['after=-1', 'limit=0', 'limit=101', 'after=1e30', 'before=1'])
    assert.equal((await read(query)).error_code, 'validation.failed', query)
  const analyst = await buildStaff(store, { role: 'analyst' })
  assert.equal((await read('', analyst.token)).status, 403)
})
