import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { loadOrderView } from '#shared/orders/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { rawRequest, request } from '#test/support/app.ts'
import { moveClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { notify, tell } from '#test/support/notify.ts'
import { stockOf } from '#test/support/observe-orders.ts'
import { buildShop, confirm, placeCardOrder, referenceOf, stripe } from '#test/support/place-orders.ts'

const HOUR_MS = 3600 * 1000
const PATH = '/payments/stripe/webhook'

/** A shop of ten units with an order of two, open at the gateway. */
async function scene(units = 10) {
  const shop = await buildShop(units)
  const order = await placeCardOrder(shop, 2)
  const { store, variantId } = shop
  return {
    shop,
    store,
    order,
    view: () => inStore(store.id, (tx) => loadOrderView(tx, order.id)),
    stock: () => stockOf(store, variantId),
    pay: () =>
      request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
        store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    events: async () => {
      const rows = await inStore(store.id, (tx) =>
        tx.knex('events').where('type', 'like', 'order.%').orderBy('id').select('type'),
      )
      return rows.map(({ type }: { type: string }) => type)
    },
    refunds: () => gateway.ledger().refunds.filter(({ metadata }) => metadata.order_id === order.id),
  }
}

test('money that came makes the order processing and allocates its stock', async () => {
  const { order, view, stock, events } = await scene()
  const intent = await confirm(order.reference)

  await notify('payment_intent.succeeded', intent)

  const { status, payment_status, amount_captured, paid_at } = await view()
  assert.deepEqual(
    { status, payment_status, amount_captured },
    { status: 'processing', payment_status: 'paid', amount_captured: 25 },
  )
  assert.ok(paid_at)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
  assert.deepEqual(await events(), ['order.created', 'order.paid', 'order.updated'])
})

test('what is told twice happens once: the same notification, and another of the same money', async () => {
  const { order, view, events } = await scene()
  const intent = await confirm(order.reference)

  await Promise.all([1, 2, 3].map(() => tell('payment_intent.succeeded', intent, { id: `evt_${order.id}` })))
  await notify('payment_intent.succeeded', intent)

  assert.equal((await view()).amount_captured, 25)
  assert.deepEqual(
    (await events()).filter((type) => type === 'order.paid'),
    ['order.paid'],
  )
})

test('a declined card fails the order and lets its stock go', async () => {
  const { store, order, view, stock, events } = await scene()
  const intent = await confirm(order.reference, 'pm_card_chargeDeclined')

  await notify('payment_intent.payment_failed', intent)

  assert.equal((await view()).status, 'failed')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.deepEqual((await events()).slice(1), ['order.payment_failed', 'order.updated'])
  const payment = await inStore(store.id, (tx) => tx.knex('payments').where('order_id', order.id).first())
  assert.partialDeepStrictEqual(payment, { status: 'failed', failure_reason: 'generic_decline' })
})

test('after a decline, another card on the same payment still pays the order', async () => {
  const { order, view, stock } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('a failure told after the money came changes nothing', async () => {
  const { order, view, stock } = await scene()
  const declined = await confirm(order.reference, 'pm_card_chargeDeclined')
  const paid = await confirm(order.reference)

  await notify('payment_intent.succeeded', paid)
  await notify('payment_intent.payment_failed', declined)
  await notify('payment_intent.canceled', declined)

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('money that comes before the worker has noted what it opened is known by its payment', async () => {
  const { store, order, view } = await scene()
  const intent = await confirm(order.reference)
  await inStore(store.id, (tx) =>
    tx.knex('payments').where('id', order.paymentId).update({ gateway_reference: null, status: 'pending' }),
  )

  await notify('payment_intent.succeeded', intent)

  assert.equal((await view()).status, 'processing')
  assert.equal(await referenceOf(store, order.paymentId), order.reference)
})

test('money after the hold ended takes the stock anew', async () => {
  const { order, view, stock } = await scene()
  moveClock(HOUR_MS)
  await drainJobs()
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.equal((await view()).status, 'pending', 'the order still waits')

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('money after the stock was sold to others goes back by itself', async () => {
  const { shop, order, view, stock, refunds } = await scene(2)
  moveClock(HOUR_MS)
  await drainJobs()
  const other = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(other.reference))

  await notify('payment_intent.succeeded', await confirm(order.reference))

  const { status, amount_captured, amount_refunded } = await view()
  assert.deepEqual(
    { status, amount_captured, amount_refunded },
    { status: 'canceled', amount_captured: 25, amount_refunded: 25 },
  )
  assert.deepEqual(await stock(), { onHand: 2, allocated: 2, held: 0 })
  assert.deepEqual(
    refunds().map(({ amount }) => amount),
    [2500],
  )
})

test('money for a canceled order goes back by itself', async () => {
  const { store, order, view, refunds } = await scene()
  const intent = await confirm(order.reference)
  await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store })

  await notify('payment_intent.succeeded', intent)

  const { status, amount_captured, amount_refunded } = await view()
  assert.deepEqual(
    { status, amount_captured, amount_refunded },
    { status: 'canceled', amount_captured: 25, amount_refunded: 25 },
  )
  assert.equal(refunds().length, 1)
})

test('an order that is paid twice gives the second payment back', async () => {
  const { store, order, view, pay, refunds } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
  // Another card on the first payment, told late, after the payment was reopened and paid.
  const first = await confirm(order.reference)
  const { data } = await pay()
  await drainJobs()
  const second = await confirm(await referenceOf(store, data.payment.id))

  await notify('payment_intent.succeeded', second)
  await notify('payment_intent.succeeded', first)

  const { status, amount_captured, amount_refunded } = await view()
  assert.deepEqual(
    { status, amount_captured, amount_refunded },
    { status: 'processing', amount_captured: 50, amount_refunded: 25 },
  )
  assert.deepEqual(
    refunds().map(({ payment_intent }) => payment_intent),
    [order.reference],
  )
})

test('another amount or currency is not taken for the money of the order', async () => {
  const { order, view } = await scene()
  const intent = await confirm(order.reference)

  await notify('payment_intent.succeeded', { ...intent, amount_received: 2499 })
  await notify('payment_intent.succeeded', { ...intent, currency: 'usd' })
  await notify('payment_intent.succeeded', { ...intent, id: 'pi_another' })

  assert.equal((await view()).status, 'pending')
})

test('a payment canceled at the gateway fails its order', async () => {
  const { order, view } = await scene()

  await notify('payment_intent.canceled', await stripe.paymentIntents.cancel(order.reference))

  assert.equal((await view()).status, 'failed')
})

test('kinds that do not matter, stores that are not here and payments of others are answered all the same', async () => {
  const { order, view } = await scene()
  const intent = await confirm(order.reference)
  const paid = 'payment_intent.succeeded'

  const answers = await Promise.all([
    tell('customer.created', { metadata: {} }),
    tell('payment_intent.processing', intent),
    tell(paid, { ...intent, metadata: {} }),
    tell(paid, { ...intent, metadata: { store_id: 'x' } }),
    tell(paid, { ...intent, metadata: { ...intent.metadata, store_id: randomUUID() } }),
    tell(paid, { ...intent, metadata: { ...intent.metadata, payment_id: randomUUID() } }),
    tell(paid, { ...intent, metadata: { ...intent.metadata, payment_id: 'x' } }),
  ])
  await drainJobs()

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(7).fill(200),
  )
  assert.equal((await view()).status, 'pending')
})

test('a notification that names another store does not reach the payment', async () => {
  const { order, view } = await scene()
  const other = await buildShop()
  const intent = await confirm(order.reference)

  await notify('payment_intent.succeeded', {
    ...intent,
    metadata: { ...intent.metadata, store_id: other.store.id },
  })

  assert.equal((await view()).status, 'pending')
})

test('what Stripe did not sign, or signed too long ago, is refused', async () => {
  const { order, view } = await scene()
  const intent = await confirm(order.reference)
  const paid = 'payment_intent.succeeded'
  const seconds = Math.floor(Date.now() / 1000)

  for (const forged of [
    { secret: 'whsec_another_secret' },
    { timestamp: seconds - 301 },
    { tampered: '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}' },
  ])
    assert.deepEqual(await tell(paid, intent, forged), {
      status: 400,
      error_code: 'payment.signature_invalid',
    })
  const bare = await rawRequest(
    `POST /api/v1${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`,
    '{}',
  )
  assert.match(bare, /^HTTP\/1.1 400/)
  assert.match(bare, /payment.signature_invalid/)
  assert.equal((await view()).status, 'pending')
})

test('what is signed and yet no event is refused, and changes nothing', async () => {
  const { order, view } = await scene()
  const { metadata } = await confirm(order.reference)
  const event = { id: 'evt_odd', type: 'payment_intent.succeeded', data: { object: { metadata } } }

  for (const odd of [
    null,
    [],
    { ...event, id: undefined },
    { ...event, id: 'x'.repeat(256) },
    { ...event, id: 'evt\0' },
    { ...event, type: 7 },
    { ...event, data: null },
    { ...event, data: { object: [] } },
    { ...event, data: { object: { metadata: 'none' } } },
  ])
    assert.deepEqual(await tell('', {}, { body: JSON.stringify(odd) }), {
      status: 400,
      error_code: 'request.malformed',
    })
  assert.equal((await view()).status, 'pending')
})

test('a body that is too large is refused, its length told or not', async () => {
  const head = `POST /api/v1${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
  const size = 1024 * 1024 + 1

  const told = await rawRequest(`${head}Content-Length: ${size}\r\n`, '')
  assert.match(told, /^HTTP\/1.1 413/)
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`
  const streamed = await rawRequest(`${head}Transfer-Encoding: chunked\r\n`, chunk)
  assert.match(streamed, /^HTTP\/1.1 413/)
})
