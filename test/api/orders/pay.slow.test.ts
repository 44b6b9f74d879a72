import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import {
  buildShop,
  confirm,
  placeCardOrder,
  referenceOf,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

const DAY_MS = 24 * 3600 * 1000

/** A guest's order of two units whose card was declined. */
async function declined(units = 10) {
  const shop = await buildShop(units)
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
  const { store, variantId } = shop
  const pay = ({ key = randomUUID(), accessToken = order.accessToken } = {}) =>
    request(`POST /orders/${order.id}/pay?access_token=${accessToken}`, {
      store,
      key,
      headers: { Prefer: 'respond-async' },
      body: {},
    })
  const view = () => inStore(store.id, (tx) => loadOrderView(tx, order.id))
  return { shop, store, order, pay, view, stock: () => stockOf(store, variantId) }
}

test('paying a failed order holds its stock again and opens a new payment', async () => {
  const { store, order, stock, view } = await declined()

  const { status, data } = await withWorker(
    request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
      store,
      key: randomUUID(),
      body: {},
    }),
  )

  assert.equal(status, 200)
  assert.equal(data.order.status, 'pending')
  assert.notEqual(data.payment.id, order.paymentId)
  assert.ok(data.payment.client_secret)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 2 })
  await notify('payment_intent.succeeded', await confirm(await referenceOf(store, data.payment.id)))
  assert.equal((await view()).status, 'processing')
  const stored = await inStore(store.id, (tx) =>
    tx.knex('payments').whereNotNull('client_secret').pluck('status'),
  )
  assert.deepEqual(stored, [], 'the secret of a captured and of a canceled payment is gone')
})

test('the replaced payment is canceled at the gateway', async () => {
  const { order, pay } = await declined()

  await pay()
  await drainJobs()

  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
})

test('paying a pending order returns its open payment', async () => {
  const shop = await buildShop()
  const order = await placeCardOrder(shop)

  const { data } = await request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
    store: shop.store,
    key: randomUUID(),
    body: {},
  })

  assert.equal(data.payment.id, order.paymentId)
  assert.ok(data.payment.client_secret)
})

test('paying after the end of the hold holds the stock for the full time again', async () => {
  const shop = await buildShop(10)
  const { id, accessToken } = await placeCardOrder(shop, 2)
  const { store, variantId } = shop
  moveClock(60 * 60_000)
  await drainDueOrders()
  assert.equal((await stockOf(store, variantId)).held, 0)

  await request(`POST /orders/${id}/pay?access_token=${accessToken}`, { store, key: randomUUID(), body: {} })

  assert.equal((await stockOf(store, variantId)).held, 2)
  moveClock(2 * 60 * 60_000)
  await drainDueOrders()
  assert.equal((await stockOf(store, variantId)).held, 0)
})

test('repeated requests do not extend a hold', async () => {
  const shop = await buildShop(10)
  const { id, accessToken } = await placeCardOrder(shop, 2)
  const { store, variantId } = shop
  moveClock(30 * 60_000)

  await request(`POST /orders/${id}/pay?access_token=${accessToken}`, { store, key: randomUUID(), body: {} })

  moveClock(36 * 60_000)
  await drainDueOrders()
  assert.equal((await stockOf(store, variantId)).held, 0)
})

test('paying an order that was failed during its hold holds its stock again', async () => {
  const { store, order, pay, stock } = await declined()
  await pay()
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'failed', 'system'))
  const released = await stock()

  await pay()

  assert.deepEqual(released, { onHand: 10, allocated: 0, held: 0 })
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 2 })
})

test('a failed order whose stock was sold cannot be paid', async () => {
  const { shop, pay, view } = await declined(2)
  moveClock(60 * 60_000)
  await drainDueOrders()
  await placeCardOrder(shop, 1)

  const { status, error_code } = await pay()

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
  assert.equal((await view()).status, 'failed')
})

test('a failed order can be paid for seven days after it was placed', async () => {
  const { pay, view, stock } = await declined()
  moveClock(7 * DAY_MS - 60_000)
  assert.equal((await pay()).status, 200)
  moveClock(8 * DAY_MS + 60_000)
  await drainDueOrders()
  assert.equal((await view()).status, 'failed')

  const { status, error_code } = await pay()

  assert.deepEqual({ status, error_code }, { status: 400, error_code: 'order.not_payable' })
  assert.equal((await view()).status, 'failed')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

for (const change of [{ is_active: false }, null])
  test(`a failed order whose product was ${change ? 'unpublished' : 'deleted'} since cannot be paid`, async () => {
    const { store, pay, view } = await declined()
    moveClock(60 * 60_000)
    await drainJobs()
    const { token } = await buildStaff(store, { role: 'catalog' })
    const [product] = (await request('GET /admin/products', { token })).data
    const line = `/admin/products/${product.id}`
    await (change ? request(`PATCH ${line}`, { token, body: change }) : request(`DELETE ${line}`, { token }))

    const { status, error_code } = await pay()

    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
    assert.equal((await view()).status, 'failed')
  })

test('concurrent requests open one payment', async () => {
  const { store, order, pay, stock } = await declined()

  const answers = await Promise.all(Array.from({ length: 6 }, () => pay()))

  assert.equal(new Set(answers.map(({ data }) => data.payment.id)).size, 1)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 2 })
  const payments = await inStore(store.id, (tx) =>
    tx.knex('payments').where('order_id', order.id).select('status'),
  )
  assert.deepEqual(payments.map(({ status }: { status: string }) => status).sort(), ['canceled', 'pending'])
})

test('a reopened order expires after the full time again', async () => {
  const { pay, view, stock } = await declined()
  moveClock(DAY_MS - 60_000)
  await pay()
  moveClock(DAY_MS + 60_000)

  await drainDueOrders()

  assert.equal((await view()).status, 'pending')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 2 })
  moveClock(2 * DAY_MS)
  await drainDueOrders()
  assert.equal((await view()).status, 'failed')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

test('paid, canceled and offline orders are not payable', async () => {
  const store = await buildStore()
  const paid = await buildPaidOrder(store)
  const canceled = await buildOrder(store)
  await request(`POST /orders/${canceled.id}/cancel?access_token=${canceled.accessToken}`, { store })
  const transfer = await buildOrder(store, { paymentMethod: 'bank_transfer' })

  for (const { id, accessToken } of [paid, canceled, transfer]) {
    const line = `POST /orders/${id}/pay?access_token=${accessToken}`
    const { status, error_code } = await request(line, { store, key: randomUUID(), body: {} })
    assert.deepEqual({ status, error_code }, { status: 400, error_code: 'order.not_payable' })
  }
})

test('only the buyer can pay an order, with an idempotency key', async () => {
  const { store, order, pay } = await declined()
  const stranger = await buildCustomer(store)
  const line = `POST /orders/${order.id}/pay`

  assert.equal((await pay({ accessToken: 'made-up' })).status, 404)
  assert.equal((await request(line, { store, key: 'a', body: {} })).status, 404)
  assert.equal((await request(line, { store, key: 'b', token: stranger.token, body: {} })).status, 404)
  const keyless = await request(`${line}?access_token=${order.accessToken}`, { store, body: {} })
  assert.equal(keyless.error_code, 'idempotency.key_required')
})

testBooks()
