import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { countVisits, countVisitsByDay } from '#shared/visits/count-visits.ts'
import { deleteOldVisits } from '#shared/visits/delete-old-visits.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { freezeClock } from '#test/support/clock.ts'
import { explain } from '#test/support/measure/explain.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
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
    visits: 4,
    orders: 3,
    revenue: total,
    conversion: 0.75,
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

test('without dates the stats have the last 30 days; deleted visits are in them', async () => {
  const { store, click, stats } = await scene('2026-01-10T12:00:00Z')
  await click('2026-01-10T12:00:00Z', 'ada')
  await click('2026-01-11T12:00:00Z', 'ada')
  freezeClock(new Date('2026-01-20T12:00:00Z'))
  const before = (await stats()).data
  assert.partialDeepStrictEqual(before, {
    date_from: '2025-12-22',
    date_to: '2026-01-20',
    visits: 2,
    visitors: 1,
  })
  assert.equal(before.days.length, 30)

  freezeClock(new Date('2026-03-20T12:00:00Z'))
  await inStore(store.id, deleteOldVisits)
  assert.equal((await rowsOf(store)).campaign_visits?.length, 0)
  const { data } = await stats('?date_from=2026-01-01&date_to=2026-01-31')
  assert.partialDeepStrictEqual(data, { visits: 2, visitors: 1 })
})

test('the visitors of any period are the different ones of its days', async () => {
  const { store, campaign, click } = await scene('2026-01-10T12:00:00Z')
  const at = (day: number) => new Date(Date.UTC(2026, 0, 10 + day, 12))
  const seen: { day: number; visitor: string }[] = []
  for (let day = 0; day < 8; day++)
    for (const visitor of ['ada', 'grace', 'edith', 'mary'].filter((_, n) => (day * 7 + n * 3) % 4 < 2)) {
      await click(at(day).toISOString(), visitor)
      await click(at(day).toISOString().replace('12:', '13:'), visitor)
      seen.push({ day, visitor })
    }

  const toDay = (day: number) => at(day).toISOString().slice(0, 10)
  const count = (from: number, to: number) =>
    inStore(store.id, (tx) => countVisitsByDay(tx, campaign.id, { from: toDay(from), to: toDay(to) }))
  for (let from = 0; from < 8; from++)
    for (let to = from; to < 8; to++) {
      const within = seen.filter(({ day }) => day >= from && day <= to)
      const { days, visitors } = await count(from, to)
      assert.equal(visitors, new Set(within.map(({ visitor }) => visitor)).size, `${from} to ${to}`)
      assert.deepEqual(
        days.map(({ visits }) => visits).reduce((total, visits) => total + visits, 0),
        within.length,
      )
    }
})

test('a visitor who returns after more than 30 days counts again', async () => {
  const { click, stats } = await scene('2026-01-10T12:00:00Z')
  for (const day of ['2026-01-10', '2026-02-09', '2026-03-12']) await click(`${day}T12:00:00Z`, 'ada')

  const visitors = async (from: string, to: string) =>
    (await stats(`?date_from=${from}&date_to=${to}`)).data.visitors
  assert.equal(await visitors('2026-01-10', '2026-02-09'), 1)
  assert.equal(await visitors('2026-02-09', '2026-03-12'), 2)
})

test('no figure of visits reads the rows of the visits', async () => {
  const { store, campaign } = await scene('2026-01-10T12:00:00Z')
  const period = { from: '2026-01-01', to: '2026-01-30' }

  const plans = await explain(store, async (tx) => {
    await countVisits(tx, [campaign.id])
    await countVisitsByDay(tx, campaign.id, period)
  })

  assert.equal(plans.length, 3)
  for (const plan of plans) assert.doesNotMatch(plan, /campaign_visits/)
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
