import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildReturnScene, returnEventsOf } from '#test/support/builders/return-scene.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { request } from '#test/support/processes/app.ts'

test('a customer requests a return of their own order and reads its progress', async () => {
  const { store, customer, order, buyer, asked } = await buildReturnScene()

  const made = await buyer('POST /returns', {
    body: asked(2, { action: 'replacement', comment: 'The handle came off' }),
  })
  const read = await buyer(`GET /returns/${made.data.id}`)
  const list = await buyer('GET /returns?status=requested')

  const { data } = made
  assert.equal(made.status, 201)
  assert.match(data.number, /^R[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  assert.partialDeepStrictEqual(data, {
    status: 'requested',
    action: 'replacement',
    comment: 'The handle came off',
    order_id: order.id,
    customer_id: customer.id,
    refund: null,
  })
  assert.deepEqual(
    data.items.map((item: Record<string, unknown>) => ({
      name: item.name,
      quantity: item.quantity,
      reason: item.reason,
      condition: item.condition,
    })),
    [{ name: 'Line 1', quantity: 2, reason: 'defective', condition: null }],
  )
  assert.deepEqual(
    { readData: read.data, listData: list.data, total: list.meta.total },
    { readData: data, listData: [data], total: 1 },
  )
  assert.deepEqual(await returnEventsOf(store, data.id), ['return.requested'])
})

test('a customer can cancel a return before its goods arrive, and request another', async () => {
  const { store, buyer, asked, staff } = await buildReturnScene()
  const { data: first } = await buyer('POST /returns', { body: asked(2) })
  assert.equal((await buyer('POST /returns', { body: asked() })).error_code, 'return.quantity_exceeded')

  const canceled = await buyer(`POST /returns/${first.id}/cancel`)
  const again = await buyer(`POST /returns/${first.id}/cancel`)
  const { status } = await buyer('POST /returns', { body: asked(2) })

  assert.deepEqual(
    { dataStatus: canceled.data.status, error_code: again.error_code, status },
    { dataStatus: 'canceled', error_code: 'return.invalid_transition', status: 201 },
  )
  assert.deepEqual(await returnEventsOf(store, first.id), ['return.requested', 'return.canceled'])
  assert.equal((await staff(`POST /admin/returns/${first.id}/approve`, { body: {} })).status, 409)
})

test('a return of an order that has not shipped returns 409 return.order_not_shipped', async () => {
  const { store, customer, buyer, staff, asked } = await buildReturnScene()
  const order = await buildCapturedOrder(store, { customerId: customer.id })
  const body = asked(1, {
    order_id: order.id,
    items: [{ order_item_id: order.lines[0]?.id, quantity: 1, reason: 'unwanted' }],
  })
  const ask = async () => [
    (await buyer('POST /returns', { body })).error_code,
    (await staff('POST /admin/returns', { body })).error_code,
  ]

  assert.deepEqual(await ask(), ['return.order_not_shipped', 'return.order_not_shipped'])
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  assert.deepEqual(await ask(), [null, null])
})

test('returns and orders of another customer or a guest return 404', async () => {
  const { store, order, buyer, asked } = await buildReturnScene()
  const guests = await buildShippedOrder(store)
  const theirs = await buildReturn(store, order)
  const { token } = await buildCustomer(store)

  for (const [line, body] of [
    ['POST /returns', asked()],
    [`GET /returns/${theirs.id}`],
    [`POST /returns/${theirs.id}/cancel`],
  ] as const) {
    const { status, error_code } = await request(line, { store, token, ...(body ? { body } : {}) })
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' }, line)
  }
  assert.deepEqual((await request('GET /returns', { store, token })).data, [])
  assert.equal((await buyer('POST /returns', { body: { ...asked(), order_id: guests.id } })).status, 404)
  assert.equal((await request('GET /returns', { store })).error_code, 'auth.not_authenticated')
})

testBooks()
