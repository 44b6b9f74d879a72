import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { deleteCampaign } from '#shared/campaigns/delete-campaign.ts'
import { updateCampaign } from '#shared/campaigns/update-campaign.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

const START = new Date('2026-10-01T12:00:00Z')
const onDay = (day: number) => freezeClock(new Date(START.getTime() + day * DAY_MS))

async function scene() {
  onDay(0)
  const shop = await buildShop()
  const { store } = shop
  const [first, second] = [await buildCampaign(store), await buildCampaign(store)]
  const click = (code: string, visitorId = 'ada') =>
    recordVisit({ id: store.id, timeZone: 'Europe/Berlin' }, code, { visitorId, ip: '', userAgent: '' })
  const order = async (body: object) => {
    const cart = await fillCart(store, shop.variantId)
    const { data, status } = await checkOut(shop, { cart, body: { payment_method: 'sandbox', ...body } })
    assert.equal(status, 201)
    return data.order
  }
  const campaignOf = async (body: object): Promise<string | null> => (await order(body)).campaign_id
  return { shop, store, first, second, click, order, campaignOf }
}

test('an order belongs to the campaign of the last click of its visitor', async () => {
  const { first, second, click, campaignOf } = await scene()
  await click(first.code)
  onDay(1)
  await click(second.code)
  assert.equal(await campaignOf({ visitor_id: 'ada' }), second.id)

  // The second click of the day on the first link.
  onDay(1.1)
  await click(first.code)
  onDay(1.2)
  await click(second.code)
  onDay(1.3)
  await click(first.code)
  assert.equal(await campaignOf({ visitor_id: 'ada' }), first.id)
  assert.equal(await campaignOf({ visitor_id: 'ada', tracking_code: second.code }), first.id)
  assert.equal(await campaignOf({ visitor_id: 'grace' }), null)
  assert.equal(await campaignOf({}), null)
})

test('for 30 days a click sets the campaign of an order, whatever code the checkout names; later it does not', async () => {
  const { first, click, campaignOf } = await scene()
  await click(first.code)

  onDay(30)
  assert.equal(await campaignOf({ visitor_id: 'ada' }), first.id)
  freezeClock(new Date(START.getTime() + 30 * DAY_MS + 1))
  assert.equal(await campaignOf({ visitor_id: 'ada' }), null)
  assert.equal(await campaignOf({ visitor_id: 'ada', tracking_code: first.code }), null)
})

test('a tracking_code counts for a visitor without a recorded click, while its campaign counts visits', async () => {
  const { store, first, campaignOf } = await scene()

  assert.equal(await campaignOf({ tracking_code: first.code.toLowerCase() }), first.id)
  assert.equal(await campaignOf({ tracking_code: first.code, visitor_id: 'new' }), first.id)
  assert.equal(await campaignOf({ tracking_code: 'unknown' }), null)
  await inStore(store.id, (tx) => updateCampaign(tx, first.id, { isActive: false }))
  assert.equal(await campaignOf({ tracking_code: first.code }), null)
})

test('a campaign that ended after the click is set; one that was deleted is not', async () => {
  const { store, first, second, click, campaignOf } = await scene()
  await click(first.code)
  onDay(1)
  await click(second.code)
  await inStore(store.id, (tx) => updateCampaign(tx, second.id, { isActive: false }))
  assert.equal(await campaignOf({ visitor_id: 'ada' }), second.id)

  await inStore(store.id, (tx) => deleteCampaign(tx, second.id))
  assert.equal(await campaignOf({ visitor_id: 'ada' }), first.id)
})

test('a code or visitor of another store sets no campaign', async () => {
  const { campaignOf } = await scene()
  const other = await scene()
  await other.click(other.first.code)

  assert.equal(await campaignOf({ visitor_id: 'ada' }), null)
  assert.equal(await campaignOf({ tracking_code: other.first.code }), null)
})

test('a checkout with a visitor sends one statement more than without', async () => {
  const { shop, first } = await scene()
  const counts: number[] = []
  for (const body of [{}, { visitor_id: 'ada', tracking_code: first.code }]) {
    const cart = await fillCart(shop.store, shop.variantId)
    const place = () => checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery', ...body } })
    counts.push(await countStatements(place))
  }

  assert.equal(counts[1], (counts[0] ?? 0) + 1)
})

test('an order keeps its campaign after later clicks and its deletion; changing it returns 422', async () => {
  const { store, first, second, click, order } = await scene()
  await click(first.code)
  const { id } = await order({ visitor_id: 'ada' })
  onDay(1)
  await click(second.code)
  await inStore(store.id, (tx) => deleteCampaign(tx, first.id))

  const { token } = await buildStaff(store, { role: 'owner' })
  const { data } = await request(`GET /admin/orders/${id}`, { token })
  assert.equal(data.campaign_id, first.id)
  const change = await request(`PATCH /admin/orders/${id}`, { token, body: { campaign_id: second.id } })
  assert.equal(change.status, 422)
})

testBooks()
