import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { anonymizeOrders } from '#shared/orders/buyers/anonymize-orders.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** Two orders of Ada Byron with different addresses, and the search of staff. */
async function buildScene() {
  const store = await buildStore()
  const email = `ada.lovelace-${nextNumber()}@mail.example`
  const order = await buildOrder(store, { email })
  const other = await buildOrder(store)
  const { token } = await buildStaff(store, { role: 'sales' })
  return {
    store,
    order,
    other,
    email,
    token,
    async search(q: string): Promise<string[]> {
      const { data } = await request(`GET /admin/orders?${new URLSearchParams({ q })}`, { token })
      return data.map(({ id }: { id: string }) => id)
    },
  }
}

test('staff find orders by beginnings of words of the number, the name and the e-mail address', async () => {
  const { order, other, email, search } = await buildScene()
  const { number } = order

  for (const q of [
    number,
    number.slice(0, 4).toLowerCase(),
    number.slice(6),
    email,
    `byr ${email.slice(0, 8)}`,
  ])
    assert.deepEqual(await search(q), [order.id], q)
  assert.deepEqual(await search('lovelace mail.example'), [order.id])
  assert.deepEqual(await search('BYRON ada'), [other.id, order.id])
  for (const q of ['yron', '-', 'ada grace']) assert.deepEqual(await search(q), [], q)
})

test('the export of orders applies the search', async () => {
  const { order, email, token } = await buildScene()

  const path = `/admin/orders?${new URLSearchParams({ q: email })}`
  const { data } = await request(`GET ${path}`, { token, headers: { Accept: 'text/csv' } })

  const [, ...rows] = data.trim().split('\n')
  assert.equal(rows.length, 1)
  assert.ok(rows[0].includes(order.id))
})

test('a search finds an anonymized order by its number alone', async () => {
  const { store, order, other, email, search } = await buildScene()

  await inStore(store.id, (tx) => anonymizeOrders(tx, [order.id], newId()))

  assert.deepEqual(await search('byron'), [other.id])
  assert.deepEqual(await search(email), [])
  assert.deepEqual(await search(order.number), [order.id])
})
