import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { updateStore } from '#shared/stores/lifecycle/update-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { performDueStep } from '#shared/subscriptions/lifecycle/perform-due-step.ts'
import { assertPricesKept } from '#shared/subscriptions/prices/assert-prices-kept.ts'
import { findSubscription } from '#shared/subscriptions/subscription.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildTaxRate } from '#test/support/builders/taxes.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { pending } from '#test/support/races/overlap.ts'

async function buildScene() {
  const store = await buildStore({ country: 'DE', pricesIncludeTax: true })
  const { id } = await buildSubscription(store)
  const { token } = await buildStaff(store, { role: 'owner' })
  const change = (path: string, body: object) => request(`PATCH ${path}`, { token, body })
  return { store, id, change }
}

test('prices_include_tax cannot change while a subscription runs', async () => {
  const { store, change } = await buildScene()

  for (const path of ['/admin/settings', `/admin/stores/${store.id}`]) {
    const refused = await change(path, { prices_include_tax: false })
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'subscription.prices_fixed' })
    const unchanged = await change(path, { prices_include_tax: true, min_order_total: 10 })
    assert.partialDeepStrictEqual(unchanged.data, { prices_include_tax: true, min_order_total: 10 })
  }
})

test('prices_include_tax can change when no subscription runs any more', async () => {
  const { store, id, change } = await buildScene()
  await inStore(store.id, (tx) => cancelSubscription(tx, id, { actor: 'staff:1', at: 'now' }))

  const { data } = await change('/admin/settings', { prices_include_tax: false })

  assert.equal(data.prices_include_tax, false)
})

/** A store whose customers abroad pay the net price, with a subscription that is sent to Kiel. */
async function buildKeepingNet({ country }: { country: string }) {
  const store = await buildStore({ country, pricesIncludeTax: true })
  const { token } = await buildStaff(store, { role: 'owner' })
  const change = (body: object) => request('PATCH /admin/settings', { token, body })
  await change({ cross_border_prices: 'keep_net' })
  await buildSubscription(store)
  return { store, change }
}
const KEEP_GROSS = { cross_border_prices: 'keep_gross' }
const PRICES_FIXED = { status: 409, error_code: 'subscription.prices_fixed' }

test('cross_border_prices cannot change while a subscription is sent abroad', async () => {
  const { change } = await buildKeepingNet({ country: 'DK' })

  const refused = await change(KEEP_GROSS)

  assert.partialDeepStrictEqual(refused, PRICES_FIXED)
})

test('cross_border_prices can change while subscriptions are sent only inside the country of the store', async () => {
  const { change } = await buildKeepingNet({ country: 'DE' })

  const { data } = await change(KEEP_GROSS)

  assert.equal(data.cross_border_prices, 'keep_gross')
})

test('cross_border_prices cannot change while a subscription runs if the country has regional tax rates', async () => {
  const { store, change } = await buildKeepingNet({ country: 'DE' })
  await buildTaxRate(store, { percent: 0, members: [{ country: 'DE', postcode: '27498' }] })

  const refused = await change(KEEP_GROSS)

  assert.partialDeepStrictEqual(refused, PRICES_FIXED)
})

test('country cannot change while a subscription runs whose prices contain its tax', async () => {
  const { change } = await buildKeepingNet({ country: 'DE' })

  const refused = await change({ country: 'DK' })

  assert.partialDeepStrictEqual(refused, PRICES_FIXED)
})

test('country can change while subscriptions run whose prices do not contain its tax', async () => {
  for (const given of [{ pricesIncludeTax: false }, { pricesIncludeTax: true }]) {
    const store = await buildStore({ country: 'DE', ...given })
    await buildSubscription(store)
    const { token } = await buildStaff(store, { role: 'owner' })

    const { data } = await request('PATCH /admin/settings', { token, body: { country: 'DK' } })

    assert.equal(data.country, 'DK')
  }
})

test('a first order that is paid after prices_include_tax has changed starts no subscription', async () => {
  for (const changes of [true, false]) {
    const { store, subscription } = await buildExpired()
    const { token } = await buildStaff(store, { role: 'owner' })
    const body = changes ? { prices_include_tax: false } : { min_order_total: 10 }
    assert.equal((await request('PATCH /admin/settings', { token, body })).status, 200)

    await inStore(store.id, (tx) => markOrderPaid(tx, subscription.orderId, 'staff:1'))
    await drainJobs()

    const read = await request(`GET /admin/subscriptions/${subscription.id}`, { token })
    assert.equal(read.data.status, changes ? 'expired' : 'active')
    const order = await request(`GET /admin/orders/${subscription.orderId}`, { token })
    assert.equal(order.data.status, 'processing', 'the buyer has paid for the goods')
  }
})

test('a subscription that is ordered while prices_include_tax changes does not start', async () => {
  const store = await buildStore({ country: 'DE', pricesIncludeTax: true })
  const change = { pricesIncludeTax: false }
  const authorize = (tx: StoreTx, before: Store) => assertPricesKept(tx, before, change)
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const held = await pending(within, (tx) =>
    updateStore(tx, change, { ifMatch: undefined, authorize, report: async () => {} }),
  )
  const { id, orderId } = await buildSubscription(store, { paymentMethod: 'card' })
  held.commit()
  await held.done

  await inStore(store.id, (tx) => markOrderPaid(tx, orderId, 'staff:1'))
  await drainJobs()

  assert.equal((await inStore(store.id, (tx) => findSubscription(tx, id))).status, 'expired')
})

/** A subscription whose first order was not paid in time. */
async function buildExpired() {
  const store = await buildStore({ country: 'DE', pricesIncludeTax: true })
  const subscription = await buildSubscription(store, { paymentMethod: 'card' })
  moveClock(DAY_MS + HOUR_MS)
  await drainJobs()
  await inStore(store.id, (tx) => performDueStep(tx, subscription.id))
  return { store, subscription }
}

testBooks()
