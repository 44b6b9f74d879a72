import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { anonymizeSubscriptions } from '#shared/subscriptions/anonymize-subscriptions.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { request } from '#test/support/processes/app.ts'

/** A subscription of Ada Byron, another one, and the search of staff. */
async function buildScene() {
  const store = await buildStore()
  const plan = { nameI18n: { en: 'Every month', de: 'Jeden Monat' } }
  const own = await buildSubscription(store, { plan })
  const other = await buildSubscription(store, { plan: { nameI18n: { en: 'Weekly' } } })
  const { token } = await buildStaff(store, { role: 'owner' })
  const staff = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  return {
    store,
    own,
    other,
    staff,
    async search(q: string): Promise<string[]> {
      const { data } = await staff(`GET /admin/subscriptions?${new URLSearchParams({ q })}`)
      return data.map(({ id }: { id: string }) => id)
    },
    read: (id: string) => inStore(store.id, (tx) => Subscription.in(tx).findById(id).throwIfNotFound()),
  }
}

test('staff find subscriptions by beginnings of words of names and by the SKU', async () => {
  const { own, other, search, read } = await buildScene()
  const { sku, nameI18n } = await read(own.id)
  const all = [other.id, own.id]

  for (const [q, expected] of [
    ['byr', all],
    ['BYRON ada', all],
    ['yron', []],
    [Object.values(nameI18n)[0] ?? '', undefined],
    [sku.toLowerCase(), [own.id]],
    ['monat', [own.id]],
    ['byron week', [other.id]],
    ['%', []],
  ] as const) {
    const found = await search(q)
    if (expected) assert.deepEqual(found, expected, q)
    else assert.ok(found.includes(own.id), q)
  }
})

test('a search finds a subscription by its new names after a change', async () => {
  const { store, own, staff, search } = await buildScene()
  const { id: recurring_plan_id } = await buildPlan(store, {
    productIds: [own.productId],
    nameI18n: { en: 'Quarterly' },
  })

  const { status } = await staff(`PATCH /admin/subscriptions/${own.id}`, {
    firstname: 'Zoë',
    recurring_plan_id,
  })

  assert.equal(status, 200)
  assert.deepEqual([await search('zoe'), await search('quarter')], [[own.id], [own.id]])
  assert.deepEqual(await search('monat'), [])
})

test('a search finds an anonymized subscription by its SKU alone', async () => {
  const { store, own, other, search, read } = await buildScene()

  await inStore(store.id, (tx) => anonymizeSubscriptions(tx, own.customer.id))

  assert.deepEqual(await search('byron'), [other.id])
  assert.deepEqual(await search((await read(own.id)).sku), [own.id])
})
