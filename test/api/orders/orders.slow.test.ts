import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

test('a customer lists their own orders, newest first', async () => {
  const store = await buildStore()
  const { id: customerId, token } = await buildCustomer(store)
  const other = await buildCustomer(store)
  const first = await buildOrder(store, { customerId })
  const second = await buildPaidOrder(store, { customerId })
  await buildOrder(store, { customerId: other.id })
  await buildOrder(store)

  const { data, meta } = await request('GET /orders', { store, token })

  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [second.id, first.id],
  )
  assert.deepEqual(meta, { page: 1, page_size: 20, total: 2, total_pages: 1 })
  const paid = await request('GET /orders?status=processing&sort=created_at&page_size=1', { store, token })
  assert.deepEqual(
    paid.data.map(({ id }: { id: string }) => id),
    [second.id],
  )
})

test('listing orders as a guest returns 401', async () => {
  const store = await buildStore()

  assert.equal((await request('GET /orders', { store })).error_code, 'auth.not_authenticated')
})

test('a list runs as many queries for many orders as for one', async () => {
  const store = await buildStore()
  const { id: customerId, token } = await buildCustomer(store)
  await buildOrder(store, { customerId })
  const few = await countQueries(() => request('GET /orders', { store, token }))
  for (let i = 0; i < 5; i++) await buildOrder(store, { customerId })

  assert.equal(await countQueries(() => request('GET /orders', { store, token })), few)
})

test('the customer, or a guest with the access token, reads an order', async () => {
  const store = await buildStore()
  const { id: customerId, token } = await buildCustomer(store)
  const own = await buildOrder(store, { customerId })
  const guests = await buildOrder(store)

  assert.equal((await request(`GET /orders/${own.id}`, { store, token })).data.number, own.number)
  const line = `GET /orders/${guests.id}?access_token=${guests.accessToken}`
  assert.equal((await request(line, { store })).data.number, guests.number)
  assert.equal((await request(line, { store, token })).data.number, guests.number)
})

test("another buyer's order returns 404", async () => {
  const store = await buildStore()
  const other = await buildStore()
  const { id: customerId } = await buildCustomer(store)
  const stranger = await buildCustomer(store)
  const foreigner = await buildCustomer(other)
  const own = await buildOrder(store, { customerId })
  const guests = await buildOrder(store)
  const withToken = `?access_token=${guests.accessToken}`

  for (const [line, as] of [
    [`GET /orders/${own.id}`, { store, token: stranger.token }],
    [`GET /orders/${own.id}`, { store }],
    [`GET /orders/${own.id}?access_token=`, { store }],
    [`GET /orders/${own.id}${withToken}`, { store }],
    [`GET /orders/${guests.id}`, { store }],
    [`GET /orders/${guests.id}?access_token=made-up`, { store }],
    [`GET /orders/${guests.id}${withToken}`, { store: other }],
    [`GET /orders/${guests.id}${withToken}`, { store: other, token: foreigner.token }],
    [`POST /orders/${own.id}/cancel`, { store, token: stranger.token }],
    [`POST /orders/${guests.id}/cancel`, { store }],
    [`POST /orders/${guests.id}/cancel${withToken}`, { store: other }],
  ] as const)
    assert.equal((await request(line, as)).status, 404, line)
})

test('the access token is stored as a hash', async () => {
  const store = await buildStore()
  const { accessToken } = await buildOrder(store)

  const rows = await inStore(store.id, async (tx) => [
    ...(await tx.knex('orders').select()),
    ...(await tx.knex('events').select()),
  ])

  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  assert.ok(!text.includes(accessToken))
})

test('a buyer cancels an unpaid order, which releases its stock', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store)
  const variantId = variants[0]?.id ?? ''
  const items = [{ variantId, quantity: 3 }]
  const order = await buildOrder(store, { items, paymentMethod: 'cash_on_delivery' })
  const line = `POST /orders/${order.id}/cancel?access_token=${order.accessToken}`

  const { data } = await request(line, { store })

  assert.equal(data.status, 'canceled')
  assert.deepEqual(await stockOf(store, variantId), { onHand: 100, allocated: 0, held: 0 })
  assert.equal((await request(line, { store })).error_code, 'order.invalid_transition')
})

test('a buyer cannot cancel a paid order', async () => {
  const store = await buildStore()
  const order = await buildPaidOrder(store)

  const { status, error_code } = await request(
    `POST /orders/${order.id}/cancel?access_token=${order.accessToken}`,
    { store },
  )

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.refund_required' })
})

testBooks()
