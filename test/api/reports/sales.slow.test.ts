import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

async function reader(store: BuiltStore) {
  const { token } = await buildStaff(store, { role: 'analyst' })
  return async (query = '') => {
    const { status, data } = await request(`GET /admin/reports/sales${query}`, { token })
    assert.equal(status, 200)
    return data
  }
}

/** What the gateway has captured and paid back of payments, in minor units. */
function atGateway(references: string[]) {
  const { charges, refunds } = gateway.ledger()
  const ofStore = ({ payment_intent }: { payment_intent: unknown }) =>
    references.includes(`${payment_intent}`)
  const total = (list: { amount: number }[]) => list.reduce((sum, { amount }) => sum + amount, 0)
  const paid = charges.filter(ofStore).filter(({ captured, status }) => captured && status === 'succeeded')
  const back = refunds.filter(ofStore).filter(({ status }) => status === 'succeeded')
  return { captured: total(paid), refunded: total(back) }
}

test('sales of card orders are what the gateway captured less what it refunded', async () => {
  const shop = await buildShop()
  const read = await reader(shop.store)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const orders = [await placeCardOrder(shop, 2), await placeCardOrder(shop, 1), await placeCardOrder(shop, 3)]
  await placeCardOrder(shop)
  for (const { reference } of orders)
    await notify('payment_intent.succeeded', await confirm(reference, 'pm_card_visa'))
  const { data: order } = await request(`GET /admin/orders/${orders[2]?.id}`, { token })
  const refund = (id: string, body: object) =>
    request(`POST /admin/orders/${id}/refunds`, {
      token,
      key: `refund-${id}`,
      body,
      headers: { Prefer: 'respond-async' },
    })
  await refund(order.id, { items: [{ order_item_id: order.items[0].id, quantity: 1 }] })
  await refund(orders[1]?.id ?? '', { amount: 2.35 })
  await drainJobs()

  const { totals, rows } = await read()

  const there = atGateway(orders.map(({ reference }) => reference))
  assert.equal(Math.round(totals.total * 100), there.captured - there.refunded)
  assert.partialDeepStrictEqual(totals, {
    orders: 3,
    units: 6,
    net: 60,
    shipping: 15,
    refunds: 12.35,
    received: 62.65,
  })
  assert.equal(rows.length, 30)
  assert.partialDeepStrictEqual(rows.at(-1), { orders: 3, refunds: 12.35 })
})

const at = (time: string) => freezeClock(new Date(time))
const berlin = () => buildStore({ timeZone: 'Europe/Berlin' })

test('a day of 25 hours and one of 23 hours are one row each', async () => {
  const store = await berlin()
  const times = [
    // The clocks go back on 25 October 2026: the day lasts from 22:00 to 23:00 UTC.
    ...[
      '2026-10-24T21:59:59.999Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00.000Z',
    ],
    // They go forward on 28 March 2027: the day lasts from 23:00 to 22:00 UTC.
    ...[
      '2027-03-27T22:59:59.999Z',
      '2027-03-27T23:00:00.000Z',
      '2027-03-28T21:59:59.999Z',
      '2027-03-28T22:00:00.000Z',
    ],
  ]
  for (const time of times) {
    at(time)
    await buildCapturedOrder(store)
  }
  at('2027-04-01T12:00:00.000Z')
  const read = await reader(store)
  const days = async (from: string, to: string) =>
    (await read(`?date_from=${from}&date_to=${to}`)).rows.map((row: { period: string; orders: number }) => [
      row.period,
      row.orders,
    ])

  assert.deepEqual(await days('2026-10-24', '2026-10-26'), [
    ['2026-10-24', 1],
    ['2026-10-25', 2],
    ['2026-10-26', 1],
  ])
  assert.deepEqual(await days('2027-03-27', '2027-03-29'), [
    ['2027-03-27', 1],
    ['2027-03-28', 2],
    ['2027-03-29', 1],
  ])
  const { rows } = await read('?date_from=2026-10-01&date_to=2027-03-31&group=month')
  assert.deepEqual(
    rows.map(({ period, orders }: { period: string; orders: number }) => `${period} ${orders}`),
    ['2026-10-01 4', '2026-11-01 0', '2026-12-01 0', '2027-01-01 0', '2027-02-01 0', '2027-03-01 4'],
  )
  assert.equal(
    (await read('?date_from=2026-10-25&date_to=2026-10-25&group=week')).rows[0].period,
    '2026-10-19',
  )
})

test('a refund counts on its own day, and the days before compare', async () => {
  const store = await berlin()
  at('2026-11-02T10:00:00.000Z')
  const { id } = await buildCapturedOrder(store, { discountMinor: 200n, taxMinor: 342n })
  at('2026-11-05T10:00:00.000Z')
  await inStore(store.id, (tx) =>
    requestRefund(
      tx,
      id,
      { amountMinor: 700n, reason: 'Late', means: 'outside_gateway' },
      requester('system'),
    ),
  )
  const read = await reader(store)

  const { rows, totals, previous } = await read('?date_from=2026-11-04&date_to=2026-11-05&compare=previous')

  assert.partialDeepStrictEqual(rows, [
    { period: '2026-11-04', refunds: 0 },
    { period: '2026-11-05', refunds: 7, total: -7 },
  ])
  assert.partialDeepStrictEqual(totals, { orders: 0, total: -7 })
  assert.partialDeepStrictEqual(previous, { date_from: '2026-11-02', date_to: '2026-11-03' })
  assert.deepEqual(previous.totals, {
    ...{
      period: '',
      orders: 1,
      units: 2,
      gross: 20,
      discounts: 2,
      net: 18,
      shipping: 5,
      tax: 3.42,
      adjustments: 0,
    },
    refunds: 0,
    total: 26.42,
    paid_by_voucher: 0,
    excess: 0,
    received: 26.42,
  })
})

test('rows by payment method, country and customer group sum to the totals by period', async () => {
  const store = await buildStore()
  const { id: customerId } = await buildCustomer(store)
  await buildCapturedOrder(store, { customerId })
  await buildCapturedOrder(store, { gateway })
  const read = await reader(store)
  const { period: _, ...totals } = (await read()).totals

  for (const by of ['country', 'payment_method', 'customer_group']) {
    const found = await read(`?by=${by}`)
    assert.partialDeepStrictEqual(found.totals, totals, by)
    assert.equal(found.pagination.total, found.rows.length)
  }
  const methods = (await read('?by=payment_method')).rows
  assert.deepEqual(methods.map((row: { payment_method: string }) => row.payment_method).sort(), [
    'bank_transfer',
    'card',
  ])
  assert.equal(
    (await read('?by=customer_group')).rows.find(
      (row: { customer_group_id: string }) => row.customer_group_id,
    ).customer_group,
    'Default',
  )
})

test('a report is of one currency and of one status', async () => {
  const store = await buildStore()
  await buildCapturedOrder(store)
  await buildCapturedOrder(store, { currency: 'JPY' })
  const read = await reader(store)

  assert.partialDeepStrictEqual((await read()).totals, { orders: 1, total: 25 })
  assert.partialDeepStrictEqual((await read('?currency=JPY')).totals, { orders: 1, total: 2500 })
  assert.partialDeepStrictEqual((await read('?status=processing')).totals, { orders: 1 })
  assert.partialDeepStrictEqual((await read('?status=complete')).totals, { orders: 0 })
})

test('another right, a range that is empty or too long, and an unknown parameter are refused', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'analyst' })
  const { token: catalog } = await buildStaff(store, { role: 'catalog' })
  const ask = async (query: string) => (await request(`GET /admin/reports/sales${query}`, { token })).status

  assert.equal((await request('GET /admin/reports/sales', { token: catalog })).status, 403)
  assert.equal(await ask('?date_from=2026-02-02&date_to=2026-02-01'), 422)
  assert.equal(await ask('?date_from=1990-01-01'), 422)
  assert.equal(await ask('?by=phase_of_the_moon'), 422)
  assert.equal(await ask('?date_from=2026-02-30'), 422)
})

testBooks()
