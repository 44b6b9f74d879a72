import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { countPastVisits, deleteOldVisits } from '#shared/visits/roll-up-visits.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

async function scene(at: string) {
  freezeClock(new Date(at))
  const shop = await buildShop()
  const { store } = shop
  const campaign = await buildCampaign(store)
  const click = (time: string, visitorId: string) => {
    freezeClock(new Date(time))
    return recordVisit({ id: store.id, timeZone: 'Europe/Berlin' }, campaign.code, {
      visitorId,
      ip: '',
      userAgent: '',
    })
  }
  const buy = async (time: string, body: object = {}) => {
    freezeClock(new Date(time))
    const cart = await fillCart(store, shop.variantId)
    const asked = { payment_method: 'sandbox', tracking_code: campaign.code, ...body }
    return (await checkOut(shop, { cart, body: asked })).data.order
  }
  /** Signs in again: the clock has moved. */
  const staff = async (line: string, body?: object) => {
    const { token } = await buildStaff(store, { role: 'administrator' })
    return request(line, { token, ...(body ? { body, key: randomUUID() } : {}) })
  }
  const stats = (query = '') => staff(`GET /admin/campaigns/${campaign.id}/stats${query}`)
  return { store, campaign, click, buy, staff, stats }
}

test('the stats have each day of the store once, with orders and revenue net of refunds', async () => {
  const { campaign, click, buy, staff, stats } = await scene('2026-10-24T08:00:00Z')
  await click('2026-10-24T21:59:59Z', 'ada')
  // The day on which summer time ends in Berlin lasts from 22:00 to 23:00 the next day in UTC: 25 hours.
  await click('2026-10-24T22:00:00Z', 'ada')
  await click('2026-10-25T22:59:59Z', 'grace')
  await click('2026-10-25T23:00:00Z', 'grace')
  const whole = await buy('2026-10-24T22:00:00Z')
  const part = await buy('2026-10-25T22:59:59Z')
  await buy('2026-10-25T23:00:00Z', { payment_method: 'cash_on_delivery' })
  await buy('2026-10-25T23:00:00Z', { payment_method: 'bank_transfer' })
  assert.equal(
    (await staff(`POST /admin/orders/${part.id}/refunds`, { amount: 4.5 })).data.status,
    'succeeded',
  )

  const { status, data } = await stats('?date_from=2026-10-24&date_to=2026-10-27')

  assert.equal(status, 200)
  const total = whole.total + part.total - 4.5
  assert.deepEqual(data, {
    date_from: '2026-10-24',
    date_to: '2026-10-27',
    currency: 'EUR',
    visitors: 2,
    ...{ visits: 4, orders: 3, revenue: total, conversion: 0.75 },
    days: [
      { date: '2026-10-24', visits: 1, orders: 0, revenue: 0, conversion: 0 },
      { date: '2026-10-25', visits: 2, orders: 2, revenue: total, conversion: 1 },
      { date: '2026-10-26', visits: 1, orders: 1, revenue: 0, conversion: 1 },
      { date: '2026-10-27', visits: 0, orders: 0, revenue: 0, conversion: 0 },
    ],
  })
  const { data: one } = await staff(`GET /admin/campaigns/${campaign.id}`)
  assert.partialDeepStrictEqual(one, { visits: 4, orders: 3, revenue: total })
})

test('the day on which summer time begins has 23 hours', async () => {
  const { click, stats } = await scene('2026-03-28T12:00:00Z')
  await click('2026-03-28T22:59:59Z', 'before')
  await click('2026-03-28T23:00:00Z', 'first')
  await click('2026-03-29T21:59:59Z', 'last')
  await click('2026-03-29T22:00:00Z', 'after')

  const { data } = await stats('?date_from=2026-03-28&date_to=2026-03-30')
  assert.deepEqual(
    data.days.map(({ visits }: { visits: number }) => visits),
    [1, 2, 1],
  )
})

test('without dates the stats have the last 30 days; counted and deleted visits are in them', async () => {
  const { store, click, stats } = await scene('2026-01-10T12:00:00Z')
  await click('2026-01-10T12:00:00Z', 'ada')
  await click('2026-01-11T12:00:00Z', 'ada')
  freezeClock(new Date('2026-01-20T12:00:00Z'))
  const before = (await stats()).data
  await inStore(store.id, countPastVisits)
  assert.deepEqual((await stats()).data, before)
  assert.partialDeepStrictEqual(before, {
    date_from: '2025-12-22',
    date_to: '2026-01-20',
    visits: 2,
    visitors: 1,
  })
  assert.equal(before.days.length, 30)

  freezeClock(new Date('2027-03-20T12:00:00Z'))
  await inStore(store.id, deleteOldVisits)
  const { data } = await stats('?date_from=2026-01-01&date_to=2026-01-31')
  assert.partialDeepStrictEqual(data, { visits: 2, visitors: 2 })
})

test('a period that ends before it starts, or of over 1,100 days, returns 422', async () => {
  const { stats } = await scene('2026-01-10T12:00:00Z')
  for (const query of [
    '?date_from=2026-01-02&date_to=2026-01-01',
    '?date_from=2020-01-01',
    '?date_to=2026-02-30',
    '?days=3',
  ])
    assert.equal((await stats(query)).status, 422, query)
  assert.equal((await stats('?date_to=0001-01-01')).status, 200)
})

testBooks()
