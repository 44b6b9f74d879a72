import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  referenceOf,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

/** A repeatable checkout by card whose payment is open at the gateway. */
async function buildCheckout() {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  const key = randomUUID()
  const body = { email: 'ada@example.test' }
  const repeat = () => checkOut(shop, { cart, key, body, waitForPayment: true })
  const first = await withWorker(repeat())
  const reference = await referenceOf(shop.store, first.data.payment.id)
  return { shop, first, repeat, reference }
}

const capture = async (reference: string) => notify('payment_intent.succeeded', await confirm(reference))

test('a repeated checkout has the client secret while the payment is open, and not once it is captured', async () => {
  const { first, repeat, reference } = await buildCheckout()

  const open = await repeat()
  await capture(reference)
  const captured = await repeat()

  assert.match(first.data.payment.client_secret, /_secret_/)
  assert.deepEqual(open.data, first.data)
  const { client_secret: _, ...payment } = first.data.payment
  assert.deepEqual(captured.data, { ...first.data, payment })
  for (const { headers } of [open, captured]) assert.equal(headers.get('Idempotent-Replayed'), 'true')
})

test('a repeated request to pay has no client secret once its payment is canceled at the gateway', async () => {
  const { shop, first, reference } = await buildCheckout()
  const { id, access_token } = first.data.order
  const key = randomUUID()
  const repeat = () =>
    request(`POST /orders/${id}/pay?access_token=${access_token}`, { store: shop.store, key, body: {} })
  const paid = await withWorker(repeat())

  await notify('payment_intent.canceled', await stripe.paymentIntents.cancel(reference))
  const repeated = await repeat()

  assert.equal(paid.data.payment.client_secret, first.data.payment.client_secret)
  const { client_secret: _, ...payment } = paid.data.payment
  assert.deepEqual(repeated.data, { ...paid.data, payment })
})

test('a repeated request for another card has no client secret once the card is saved', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { id } = await buildCardSubscription(gateway, store, { customer })
  const key = randomUUID()
  const repeat = () =>
    request(`POST /subscriptions/${id}/payment-method`, { store, token: customer.token, key })
  const first = await withWorker(repeat())
  const [reference = ''] = first.data.client_secret.split('_secret')

  const open = await repeat()
  await stripe.setupIntents.confirm(reference, { payment_method: 'pm_card_visa' })
  await notify('setup_intent.succeeded', await stripe.setupIntents.retrieve(reference))
  await drainJobs()
  const saved = await repeat()

  assert.deepEqual(open.data, first.data)
  const { client_secret: _, ...setup } = first.data
  assert.deepEqual(saved.data, setup)
})
