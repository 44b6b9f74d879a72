import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildSubscription } from '#test/support/build-subscriptions.ts'
import { testBooks } from '#test/support/test-books.ts'

async function buildScene() {
  const store = await buildStore({ country: 'DE', pricesIncludeTax: true })
  const { id } = await buildSubscription(store)
  const { token } = await buildStaff(store, { role: 'owner' })
  const change = (path: string, body: object) => request(`PATCH ${path}`, { token, body })
  return { store, id, change }
}

test('prices keep their tax while a subscription runs: its charges would be of another amount', async () => {
  const { store, change } = await buildScene()

  for (const path of ['/admin/settings', `/admin/stores/${store.id}`]) {
    const refused = await change(path, { prices_include_tax: false })
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'subscription.prices_fixed' })
    const unchanged = await change(path, { prices_include_tax: true, min_order_total: 10 })
    assert.partialDeepStrictEqual(unchanged.data, { prices_include_tax: true, min_order_total: 10 })
  }
})

test('when no subscription runs any more, the setting can change', async () => {
  const { store, id, change } = await buildScene()
  await inStore(store.id, (tx) => cancelSubscription(tx, id, { actor: 'staff:1', at: 'now' }))

  const { data } = await change('/admin/settings', { prices_include_tax: false })

  assert.equal(data.prices_include_tax, false)
})

testBooks()
