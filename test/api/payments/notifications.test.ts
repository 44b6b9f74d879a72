import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { applyNotification } from '#shared/payments/jobs.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { sendEvent } from '#test/support/processes/notify.ts'
import { handlers } from '#workers/handlers.ts'

const PATH = '/payments/stripe/webhook'
const PAID = 'payment_intent.succeeded'

/** A pending order of two of ten units whose buyer has paid at the gateway. The event has not arrived yet. */
async function scene() {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const order = await buildOrder(store, { items: [{ variantId, quantity: 2 }] })
  const paymentId = order.paymentId ?? ''
  const intent = gateway.change((context) => {
    const metadata = { store_id: store.id, payment_id: paymentId }
    const { id } = createIntent(context, { amount: '2500', currency: 'eur', metadata })
    return confirmIntent(context, id, { payment_method: 'pm_card_visa' })
  })
  const opened = { reference: intent.id, clientSecret: intent.client_secret }
  await inStore(store.id, (tx) => recordOpenedPayment(tx, paymentId, opened))
  return {
    store,
    variantId,
    order,
    intent,
    read: async () =>
      (await request(`GET /orders/${order.id}?access_token=${order.accessToken}`, { store })).data,
    /** Applies the notifications that have arrived, and runs no other job. */
    handle: () => drainJobs(handlers.filter(({ job }) => job === applyNotification)),
    /** Applies the notifications, and runs the jobs that follow. */
    handleWhole: () => drainJobs(),
  }
}

const orderEvents = (store: { id: string }): Promise<string[]> =>
  inStore(store.id, (tx) => tx.knex('events').whereLike('type', 'order.%').orderBy('id').pluck('type'))

test('a capture makes the order processing and allocates its stock', async () => {
  const { store, intent, read, variantId, handle } = await scene()

  await sendEvent(PAID, intent)
  await handle()

  const order = await read()
  assert.partialDeepStrictEqual(order, { status: 'processing', payment_status: 'paid', amount_captured: 25 })
  assert.ok(order.paid_at)
  assert.deepEqual(await stockOf(store, variantId), { onHand: 10, allocated: 2, held: 0 })
  assert.deepEqual(await orderEvents(store), ['order.created', 'order.paid', 'order.updated'])
})

test('a repeated notification and a second one of the same capture change nothing', async () => {
  const { store, order, intent, read, handle } = await scene()
  const repeated = { id: `evt_${order.id}` }

  await Promise.all([1, 2, 3].map(() => sendEvent(PAID, intent, repeated)))
  await handle()
  await sendEvent(PAID, intent)
  await handle()

  assert.equal((await read()).amount_captured, 25)
  const paid = (await orderEvents(store)).filter((type) => type === 'order.paid')
  assert.deepEqual(paid, ['order.paid'])
})

test('events of other types, stores and payments return 200 and change nothing', async () => {
  const { intent, read, handleWhole } = await scene()
  const stray = { ...intent, id: 'pi_of_another_system' }
  const named = (metadata: object) => ({ ...stray, metadata: { ...intent.metadata, ...metadata } })

  const answers = await Promise.all([
    sendEvent('customer.created', { metadata: {} }),
    sendEvent('payment_method.attached', { id: 'pm_1', object: 'payment_method', metadata: intent.metadata }),
    sendEvent('setup_intent.created', { id: 'seti_1', object: 'setup_intent', metadata: intent.metadata }),
    sendEvent('payment_intent.processing', stray),
    sendEvent(PAID, { ...stray, metadata: {} }),
    sendEvent(PAID, { ...stray, metadata: { store_id: 'x' } }),
    sendEvent(PAID, named({ store_id: randomUUID() })),
    sendEvent(PAID, named({ payment_id: randomUUID() })),
    sendEvent(PAID, named({ payment_id: 'x' })),
  ])
  await handleWhole()

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(9).fill(200),
  )
  assert.equal((await read()).status, 'pending')
})

test("a payment of another reference with another store's id does not change the payment", async () => {
  const { intent, read, handleWhole } = await scene()
  const { id: store_id } = await buildStore()
  const stray = { ...intent, id: 'pi_of_another_system', metadata: { ...intent.metadata, store_id } }

  const { status } = await sendEvent(PAID, stray)
  await handleWhole()

  assert.equal(status, 200)
  assert.equal((await read()).status, 'pending')
})

test('a notification without a recent signature is refused before its body arrives', async () => {
  const seconds = Math.floor(Date.now() / 1_000)
  const old = `t=${seconds - 400},v1=${'a'.repeat(64)}`

  for (const signature of ['', 'v1=abc', `t=${seconds}`, 't=x,v1=abc', old]) {
    const answer = await rawRequest(
      `POST /api/v1${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: 100\r\nStripe-Signature: ${signature}\r\n`,
    )
    assert.match(answer, /^HTTP\/1.1 400 /, signature)
    assert.match(answer, /"payment.signature_invalid"/, signature)
  }
})

test('a wrong or old signature returns 400 payment.signature_invalid and changes nothing', async () => {
  const { intent, read, handleWhole } = await scene()
  const seconds = Math.floor(Date.now() / 1000)

  for (const forged of [
    { secret: 'whsec_another_secret' },
    { timestamp: seconds - 301 },
    { tampered: '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}' },
  ])
    assert.deepEqual(await sendEvent(PAID, intent, forged), {
      status: 400,
      error_code: 'payment.signature_invalid',
    })
  const bare = await rawRequest(
    `POST /api/v1${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`,
    '{}',
  )

  assert.match(bare, /^HTTP\/1.1 400/)
  assert.match(bare, /payment.signature_invalid/)
  await handleWhole()
  assert.equal((await read()).status, 'pending')
})

test('a signed body that is not an event returns 400 and changes nothing', async () => {
  const { intent, read, handle } = await scene()
  const { metadata } = intent
  const event = { id: 'evt_odd', type: PAID, data: { object: { metadata } } }

  for (const odd of [
    null,
    [],
    { ...event, id: undefined },
    { ...event, id: 'x'.repeat(256) },
    { ...event, id: 'evt\0' },
    { ...event, type: 7 },
    { ...event, data: null },
    { ...event, data: { object: [] } },
  ])
    assert.deepEqual(await sendEvent('', {}, { body: JSON.stringify(odd) }), {
      status: 400,
      error_code: 'request.malformed',
    })

  await handle()
  assert.equal((await read()).status, 'pending')
})

test('a body above the limit returns 413, with and without Content-Length', async () => {
  const recent = `t=${Math.floor(Date.now() / 1_000)},v1=${'a'.repeat(64)}`
  const head =
    `POST /api/v1${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
    `Stripe-Signature: ${recent}\r\n`
  const size = 256 * 1024 + 1

  const response = await rawRequest(`${head}Content-Length: ${size}\r\n`, '')
  assert.match(response, /^HTTP\/1.1 413/)
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`
  const streamed = await rawRequest(`${head}Transfer-Encoding: chunked\r\n`, chunk)
  assert.match(streamed, /^HTTP\/1.1 413/)
})

testBooks()
