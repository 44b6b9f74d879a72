import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { placeByPaymentMethod } from '#shared/checkout/place-by-payment-method.ts'
import { findOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
import { draftCharge } from '#shared/subscriptions/charges/draft-charge.ts'
import { settleCharges } from '#shared/subscriptions/charges/settle-charges.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { lockSubscription, Subscription } from '#shared/subscriptions/subscription.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { readStore } from '#test/support/builders/orders.ts'
import {
  type ActName,
  ledgerOf,
  reach,
  runConcurrently,
  type Situation,
} from '#test/support/builders/race-subscriptions.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { superuser } from '#test/support/database.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { pending, untilOneWaits, untilSomeWait } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

const store = await buildStore()

/** The pairs that move money. `npm run test:faults` plays all of them, in both orders. */
const PAIRS: [Situation, ActName, ActName][] = [
  ['due', 'the charge', 'the charge'],
  ['due', 'the charge', 'cancel'],
  ['due', 'cancel', 'the charge'],
  ['due', 'the charge', 'cancel later'],
  ['due', 'pause', 'the charge'],
  ['due', 'skip', 'the charge'],
  ['due', 'a change', 'the charge'],
  ['ordered', 'the sending', 'the sending'],
  ['ordered', 'the sending', 'cancel'],
  ['ordered', 'cancel', 'the sending'],
  ['ordered', 'pause', 'the sending'],
  ['ordered', 'a canceled order', 'cancel'],
  ['ordered', 'a payment by link', 'the sending'],
  ['ordered', 'another card', 'the charge'],
  ['sent', 'the notification', 'the sending'],
  ['sent', 'the notification', 'cancel'],
  ['sent', 'cancel', 'the notification'],
  ['sent', 'a canceled order', 'the sending'],
  ['declined', 'the charge', 'a payment by link'],
  ['declined', 'another card', 'the charge'],
  ['declined', 'cancel', 'a payment by link'],
  ['paidByLink', 'the notification', 'the charge'],
  ['paidByLink', 'the charge', 'the notification'],
  ['paidByLink', 'the notification', 'cancel'],
]

for (const [situation, one, other] of PAIRS)
  test(`${situation}: ${one} concurrent with ${other} has one outcome`, () =>
    runConcurrently(store, situation, [one, other]))

test('the subscriptions of one order are settled while one of them is canceled, without a deadlock', async () => {
  const { id: first, orderId } = await buildSubscription(store, { paymentMethod: 'card' })
  const within = <T>(work: Parameters<typeof inStore<T>>[1]) => inStore(store.id, work)
  const second = await within(async (tx) => {
    const order = await findOrder(tx, orderId)
    const started = await Subscription.in(tx).findById(first).throwIfNotFound()
    const { productId, variantId, nameI18n, sku, quantity, unitPriceMinor, terms } = started
    const planId = started.recurringPlanId ?? ''
    const prices = { unitPriceMinor, isPlanPrice: true }
    const other = { planId, productId, variantId, nameI18n, sku, quantity, ...prices, terms }
    await startSubscriptions(tx, Object.assign(order, { subscriptionId: null }), [other])
    return Subscription.in(tx).where('variant_id', variantId).orderBy('id', 'desc').first().throwIfNotFound()
  })
  const held = await pending(within, (tx) => lockSubscription(tx, second.id))
  const canceling = within((tx) => cancelSubscription(tx, second.id, { actor: 'system', at: 'now' }))
  await untilOneWaits()
  const settling = within((tx) => settleCharges(tx, orderId))
  await untilSomeWait(2)
  held.commit()

  await Promise.all([held.done, canceling, settling])

  const statuses = await within((tx) =>
    Subscription.in(tx).findByIds([first, second.id].map((id) => [store.id, id])),
  )
  assert.deepEqual(statuses.map(({ status }) => status).sort(), ['canceled', 'pending'])
})

testBooks()

test('control: a charge that is placed without the lock and the unique rows is made twice', async () => {
  const own = await buildStore()
  ignoreBooksOf(own)
  const scene = await reach('due', own)
  const visit = await readStore(own.id)
  await superuser.query('drop index orders_store_id_subscription_id_charge_no_idx')
  const within = <T>(work: Parameters<typeof inStore<T>>[1]) => inStore(own.id, work)
  const draft = () =>
    within(async (tx) =>
      draftCharge(tx, visit, await Subscription.in(tx).findById(scene.id).throwIfNotFound()),
    )

  const drafts = [await draft(), await draft()]
  for (const one of drafts)
    await within((tx) => placeByPaymentMethod(tx, visit, { ...one, savedCard: scene.card.reference }))
  await drainJobs()

  const charged = (await ledgerOf(scene)).filter(({ paid }) => paid > 0)
  assert.deepEqual(
    charged.map(({ order }) => order.chargeNo),
    [2, 2],
  )
})

test('control: a charge that is sent without a record is made after the response to a cancel', async () => {
  const own = await buildStore()
  ignoreBooksOf(own)
  const scene = await reach('ordered', own)
  const payment = await inStore(own.id, (tx) =>
    Payment.in(tx)
      .findById(scene.paymentId ?? '')
      .throwIfNotFound(),
  )
  const customer = await inStore(own.id, (tx) => tx.knex('gateway_customers').first('reference'))
  assert.equal(payment.status, 'pending')

  await inStore(own.id, (tx) => cancelSubscription(tx, scene.id, { actor: 'system', at: 'now' }))
  await stripeGateway().chargeSavedCard({
    idempotencyKey: payment.id,
    customer: customer.reference,
    cardReference: scene.card.reference,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    metadata: { order_id: payment.orderId, payment_id: payment.id, store_id: own.id },
  })

  const [charged] = await ledgerOf(scene)
  assert.ok(charged && charged.paid > 0)
})

test('no pair of operations deadlocks', async () => {
  // A connection reports its deadlocks at its end.
  await stopListening()
  await closeQueues()
  await closeDb()
  const others = 'select from pg_stat_activity where datname = current_database() and usename = $1'
  await until(
    'the connections have ended',
    async () => (await superuser.query(others, ['commerce'])).rowCount === 0,
  )
  const { rows } = await superuser.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.deepEqual(rows, [{ deadlocks: 0 }])
})
