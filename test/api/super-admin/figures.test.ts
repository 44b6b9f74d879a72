import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { rollUpFigures } from '#shared/super-admin/jobs.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

let token: string
before(async () => {
  token = (await buildSuperAdmin()).token
})

const read = async (query = '') => request(`GET /super-admin/figures${query}`, { token })
const tally = async () => {
  await (await queues()).send(rollUpFigures.queue, {})
  await drainJobs()
}

test('figures sum the sales of all stores by currency; a repeated tally counts each order once', async () => {
  const [one, two] = [await buildStore(), await buildStore()]
  assert.deepEqual((await read()).data.sales, [])
  assert.equal((await read()).data.tallied_at, null)
  for (const store of [one, one, two]) await buildCapturedOrder(store)

  await tally()
  await tally()

  const { data } = await read()
  assert.deepEqual(data.sales, [{ currency: 'EUR', orders: 3, revenue: 75 }])
  assert.equal(data.stores.active, 2)
  assert.match(data.tallied_at, /^\d{4}-/)
})

test('a tally after a refund subtracts the refunded amount', async () => {
  const store = await buildStore()
  const { id } = await buildCapturedOrder(store)
  const [before] = (await read()).data.sales
  await inStore(store.id, (tx) => tx.knex('orders').where({ id }).update({ amount_refunded_minor: 1_000n }))

  await tally()

  const [after] = (await read()).data.sales
  assert.deepEqual(
    { orders: after.orders, revenue: after.revenue },
    { orders: before.orders + 1, revenue: before.revenue + 15 },
  )
})

test('date_from and date_to limit the figures; an invalid range returns 422', async () => {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)

  assert.deepEqual((await read(`?date_to=${yesterday}`)).data.sales, [])
  assert.equal((await read('?date_from=2026-02-02&date_to=2026-02-01')).status, 422)
  assert.equal((await read('?date_from=yesterday')).status, 422)
})

test('dates from year 1 to 9999 are valid; the default date_from is at least 0001-01-01', async () => {
  const { status, data } = await read('?date_to=0001-01-05')

  assert.deepEqual(
    { status, date_from: data.date_from, date_to: data.date_to },
    { status: 200, date_from: '0001-01-01', date_to: '0001-01-05' },
  )
  assert.equal((await read('?date_from=0001-01-01&date_to=9999-12-31')).status, 200)
  assert.equal((await read('?date_from=0000-12-31')).status, 422)
  assert.equal((await read('?date_from=0000-01-01&date_to=0000-12-31')).status, 422)
})
