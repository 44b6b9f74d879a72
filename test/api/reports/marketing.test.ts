import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { reportReader } from '#test/support/books/ask-report.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

test('the campaigns report shows visits per day, and the revenue of the orders', async () => {
  const store = await buildStore()
  const campaign = await buildCampaign(store)
  await buildCampaign(store)
  for (const visitor_id of ['ada', 'grace', 'ada', 'edith'])
    await request('POST /marketing/track', { store, body: { code: campaign.code, visitor_id } })
  const order = await buildCapturedOrder(store)
  await buildCapturedOrder(store)
  await inStore(store.id, async (tx) => {
    await tx.knex('orders').where('id', order.id).update({ campaign_id: campaign.id })
    const day = new Date(Date.now() - 5 * DAY_MS).toISOString().slice(0, 10)
    await tx
      .knex('campaign_visit_days')
      .insert({ store_id: store.id, source_id: campaign.id, day, visits: 7 })
    await requestRefund(
      tx,
      order.id,
      { amountMinor: 500n, reason: 'Late', means: 'outside_gateway' },
      requester('system'),
    )
  })
  const ask = await reportReader(store)

  const { rows } = await ask('marketing')

  assert.equal(rows.length, 1)
  const figures = { visits: 10, orders: 1, captured: 25, refunds: 5, revenue: 20, conversion: 10 }
  assert.partialDeepStrictEqual(rows[0], { code: campaign.code, ...figures })
  freezeClock(new Date(Date.now() + 40 * DAY_MS))
  assert.deepEqual((await (await reportReader(store))('marketing')).rows, [])
})

testBooks()
