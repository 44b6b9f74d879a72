import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { rollUpStore } from '#workers/reports/roll-up-reports.ts'

const setLimit = (orders: string | undefined) => {
  if (orders === undefined) delete process.env.REPORT_FRESH_ORDERS
  else process.env.REPORT_FRESH_ORDERS = orders
  resetConfig()
}
before(() => setLimit('2'))
after(() => setLimit(undefined))

const START = Date.parse('2026-11-01T12:00:00.000Z')

/** A store with an order on each of three days, and the present on the fifth. */
async function scene() {
  const store = await buildStore()
  for (const day of [0, 1, 2]) {
    freezeClock(new Date(START + day * DAY_MS))
    await buildCapturedOrder(store)
  }
  freezeClock(new Date(START + 4 * DAY_MS))
  const { token } = await buildStaff(store, { role: 'analyst' })
  const read = (report: string, accept = 'application/json') =>
    request(`GET /admin/reports/${report}`, { token, headers: { Accept: accept } })
  return { store, read }
}

test('a report over more orders than one query can sum returns 503 until their days are stored', async () => {
  const { store, read } = await scene()

  for (const accept of ['application/json', 'text/csv']) {
    const { status, error_code, headers } = await read('sales', accept)
    assert.deepEqual({ status, error_code }, { status: 503, error_code: 'report.preparing' })
    assert.equal(headers.get('retry-after'), '60')
  }
  await rollUpStore(store.id)

  const { status, data } = await read('sales')
  assert.equal(status, 200)
  assert.equal(data.totals.orders, 3)
  assert.equal((await read('sales', 'text/csv')).status, 200)
})

test('every report that sums orders returns 503 until their days are stored', async () => {
  const { read } = await scene()

  const summed = ['products', 'customers', 'inventory', 'shipping', 'tax', 'returns', 'coupons', 'marketing']
  for (const report of summed) assert.equal((await read(report)).error_code, 'report.preparing', report)
})

test('a report over fewer days, or without sums, is returned immediately', async () => {
  const { read } = await scene()

  assert.equal((await read('sales?date_from=2026-11-02')).data.totals.orders, 2)
  assert.equal((await read('vouchers')).status, 200)
  assert.equal((await read('affiliates')).status, 200)
})

test('compare=previous returns 503 if only the previous range has too many orders', async () => {
  const { read } = await scene()

  const range = 'date_from=2026-11-04&date_to=2026-11-06'
  assert.equal((await read(`sales?${range}`)).status, 200)
  assert.equal((await read(`sales?${range}&compare=previous`)).error_code, 'report.preparing')
})
