import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { CardSetup } from '#shared/payments/card-setup.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildCustomer, signInAgain } from '#test/support/builders/accounts.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

const MOST = 3

const limitDeclines = (most: number) => {
  process.env.LIMIT_DECLINES = String(most)
  resetConfig()
}

afterEach(async () => {
  limitDeclines(0)
  await db()('rate_limits').delete()
})

/** Tries a card on an open payment; the bank declines it. Returns the event's id. */
async function decline(reference: string): Promise<string> {
  const id = `evt_${randomUUID()}`
  await notify('payment_intent.payment_failed', await confirm(reference, 'pm_card_chargeDeclined'), { id })
  return id
}

/** An order of which `times` cards were declined, all on its first payment. */
async function buildDeclined(times: number) {
  const shop = await buildShop()
  const order = await placeCardOrder(shop)
  for (let n = 0; n < times; n++) await decline(order.reference)
  const pay = () =>
    request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
      store: shop.store,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: {},
    })
  return { shop, order, pay }
}

const outcomeOf = ({ status, error_code }: { status: number; error_code: string | null }) => ({
  status,
  error_code,
})
const refused = { status: 429, error_code: 'rate_limit.exceeded' }

test('past the limit of declined cards the payment is canceled at the gateway and cannot be opened again for an hour', async () => {
  limitDeclines(MOST)
  const { shop, order, pay } = await buildDeclined(MOST)
  await drainJobs()

  const again = await pay()

  assert.deepEqual(outcomeOf(again), refused)
  assert.ok(Number(again.headers.get('Retry-After')) > 3_000)
  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
  await assert.rejects(stripe.paymentIntents.confirm(order.reference, { payment_method: 'pm_card_visa' }))
  assert.partialDeepStrictEqual(await stockOf(shop.store, shop.variantId), { held: 0 })
  moveClock(HOUR_MS + SECOND_MS)
  assert.equal((await pay()).status, 200)
})

test('control: without the limit every card of a list can be tried on one payment', async () => {
  const { order, pay } = await buildDeclined(MOST + 2)
  await drainJobs()

  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'requires_payment_method')
  assert.equal((await pay()).status, 200)
})

test('below the limit the buyer pays with another card', async () => {
  limitDeclines(MOST)
  const { order } = await buildDeclined(MOST - 1)

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'succeeded')
})

test('new carts and other stores do not help the address, and other ways to pay stay open to it', async () => {
  limitDeclines(MOST)
  for (let n = 0; n < MOST; n++) await buildDeclined(1)
  const shop = await buildShop()
  const attempt = async (payment_method: string) =>
    checkOut(shop, { cart: await fillCart(shop.store, shop.variantId), body: { payment_method } })

  assert.deepEqual(outcomeOf(await attempt('card')), refused)
  assert.equal((await attempt('bank_transfer')).status, 201)
})

test('an event of a decline that arrives twice is counted once', async () => {
  limitDeclines(2)
  const { order, pay } = await buildDeclined(0)
  const id = await decline(order.reference)

  await notify('payment_intent.payment_failed', await stripe.paymentIntents.retrieve(order.reference), { id })

  assert.equal((await pay()).status, 200)
})

/** A subscription whose customer gives another card, and `times` declined cards of the setup. */
async function buildDeclinedSetup(times: number) {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { id } = await buildCardSubscription(gateway, store, { customer })
  const ask = async () =>
    request(`POST /subscriptions/${id}/payment-method`, {
      store,
      token: await signInAgain(store, customer),
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
    })
  const { data } = await ask()
  await drainJobs()
  const read = () => inStore(store.id, (tx) => CardSetup.in(tx).findById(data.id).throwIfNotFound())
  const reference = (await read()).gatewayReference ?? ''
  for (let n = 0; n < times; n++) await declineSetup(reference)
  return { store, reference, ask, read }
}

async function declineSetup(reference: string): Promise<void> {
  const confirmed = stripe.setupIntents.confirm(reference, { payment_method: 'pm_card_chargeDeclined' })
  await assert.rejects(confirmed, { type: 'StripeCardError' })
  await notify('setup_intent.setup_failed', await stripe.setupIntents.retrieve(reference), {
    id: `evt_${randomUUID()}`,
  })
}

test('past the limit of declined cards a card setup is canceled at the gateway, and no other one is opened', async () => {
  limitDeclines(MOST)
  const { reference, ask, read } = await buildDeclinedSetup(MOST)

  const again = await ask()

  assert.deepEqual(outcomeOf(again), refused)
  assert.equal((await stripe.setupIntents.retrieve(reference)).status, 'canceled')
  assert.partialDeepStrictEqual(await read(), { status: 'canceled', payerNetwork: null, clientSecret: null })
  moveClock(HOUR_MS + SECOND_MS)
  assert.equal((await ask()).status, 201)
})

test('control: without the limit every card of a list can be tried on one card setup', async () => {
  const { reference, ask } = await buildDeclinedSetup(MOST + 2)

  assert.equal((await stripe.setupIntents.retrieve(reference)).status, 'requires_payment_method')
  assert.equal((await ask()).status, 201)
})

test('declined cards of setups and of payments of one address are counted together', async () => {
  limitDeclines(MOST)
  await buildDeclinedSetup(1)
  const { pay } = await buildDeclined(MOST - 1)

  assert.deepEqual(outcomeOf(await pay()), refused)
})

test('below the limit another card is saved by the same setup, and the network of the buyer is forgotten', async () => {
  limitDeclines(MOST)
  const { reference, read } = await buildDeclinedSetup(MOST - 1)
  assert.equal((await read()).payerNetwork, '127.0.0.1')

  await stripe.setupIntents.confirm(reference, { payment_method: 'pm_card_visa' })
  await notify('setup_intent.succeeded', await stripe.setupIntents.retrieve(reference))

  assert.partialDeepStrictEqual(await read(), { status: 'succeeded', payerNetwork: null })
})

test('the network of a buyer is forgotten when the payment is captured', async () => {
  const { shop, order } = await buildDeclined(1)
  const network = () =>
    inStore(shop.store.id, (tx) => tx.knex('payments').where('id', order.paymentId).pluck('payer_network'))
  assert.deepEqual(await network(), ['127.0.0.1'])

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.deepEqual(await network(), [null])
})
