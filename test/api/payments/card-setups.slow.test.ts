import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import Stripe from 'stripe'
import '#test/support/database.ts'
import { findSellable } from '#shared/catalog/variants/find-sellable.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { findOrder } from '#shared/orders/order.ts'
import { OrderStep } from '#shared/orders/order-step.ts'
import { CardSetup } from '#shared/payments/card-setup.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import { recoverPayments } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { Charge } from '#shared/subscriptions/charge.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { lockSubscription, Subscription } from '#shared/subscriptions/subscription.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { placeCharge } from '#test/support/builders/charges.ts'
import { buildShop, stripe } from '#test/support/builders/place-orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { settleCardSetup } from '#workers/payments/card-setups/settle-card-setup.ts'

beforeEach(() => gateway.faults.clear())

/** A free first order of a subscription, which waits for a card. */
async function scene({ units = 10 } = {}) {
  const { store, variantId } = await buildShop(units)
  const customer = await buildCustomer(store)
  const order = await placeCharge({ store, variantId, customerId: customer.id, priceMinor: 0n })
  await drainJobs()
  const { paymentOrSetupId: setupId } = order
  const readSetup = (id = setupId) =>
    inStore(store.id, (tx) => CardSetup.in(tx).findById(id).throwIfNotFound())
  return {
    store,
    variantId,
    customer,
    orderId: order.id,
    setupId,
    readSetup,
    reference: (await readSetup()).gatewayReference ?? '',
    order: () => readOrder(store, order.id),
    stock: () => stockOf(store, variantId),
    cards: () => inStore(store.id, (tx) => tx.knex('saved_cards').where('store_id', store.id)),
    cancel: () => inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'canceled', 'system')),
    pay: () =>
      withWorker(
        request(`POST /orders/${order.id}/pay`, {
          store,
          token: customer.token,
          key: randomUUID(),
          body: {},
        }),
      ),
  }
}

/** Confirms a setup at the gateway, as the buyer's browser does. A declined card is not an error. */
async function confirmSetup(reference: string, card = 'pm_card_visa'): Promise<Stripe.SetupIntent> {
  await stripe.setupIntents.confirm(reference, { payment_method: card }).catch((error) => {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
  })
  return stripe.setupIntents.retrieve(reference)
}

const isSaved = async (card: unknown) =>
  (await stripe.paymentMethods.retrieve(String(card))).customer !== null

const recover = async () => {
  await (await queues()).send(recoverPayments.queue, {})
  return drainJobs()
}

test('a free first order by card is pending until its card is saved, and nothing is charged', async () => {
  const { order, stock, cards, readSetup, reference, orderId } = await scene()
  const before = await order()

  await notify('setup_intent.succeeded', await confirmSetup(reference))

  const [card, ...others] = await cards()
  assert.equal(before.status, 'pending')
  assert.partialDeepStrictEqual(await order(), { status: 'processing', amountCapturedMinor: 0n })
  assert.deepEqual(await stock(), { onHand: 10, allocated: 1, held: 0 })
  assert.partialDeepStrictEqual(card, { brand: 'visa', last4: '4242' })
  assert.equal(others.length, 0)
  assert.partialDeepStrictEqual(await readSetup(), { status: 'succeeded', cardReference: card.reference })
  const charged = gateway.ledger().payment_intents.filter(({ metadata }) => metadata.order_id === orderId)
  assert.deepEqual(charged, [])
})

test('the buyer of a free order is not mailed that a payment was received', async () => {
  const { store, orderId, reference } = await scene()

  await notify('setup_intent.succeeded', await confirmSetup(reference))
  await (await queues()).send(publishEvents.queue, {})
  await drainJobs()

  const kinds = await inStore(store.id, (tx) =>
    tx.knex('order_mails').where({ store_id: store.id, order_id: orderId }).pluck('kind'),
  )
  assert.deepEqual(kinds, ['placed'])
})

test('the link to pay returns the setup to confirm', async () => {
  const { pay, setupId, reference } = await scene()

  const { status, data } = await pay()

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data.payment, { id: setupId, kind: 'setup', status: 'requires_action' })
  assert.ok(data.payment.client_secret.startsWith(reference))
})

test('the subscription of the order adopts the card and becomes active', async () => {
  const { store, variantId, customer } = await scene()
  const {
    id: orderId,
    paymentOrSetupId: setupId,
    subscriptionId,
  } = await placeFreeStart(store, variantId, customer.id)
  await drainJobs()
  const { gatewayReference } = await inStore(store.id, (tx) =>
    CardSetup.in(tx).findById(setupId).throwIfNotFound(),
  )

  await notify('setup_intent.succeeded', await confirmSetup(gatewayReference ?? ''))

  const found = await inStore(store.id, (tx) => Subscription.in(tx).findById(subscriptionId))
  assert.equal((await readOrder(store, orderId)).status, 'processing')
  assert.partialDeepStrictEqual(found, { status: 'active', card: { brand: 'visa', last4: '4242' } })
})

async function placeFreeStart(store: { id: string }, variantId: string, customerId: string) {
  const placed = await placeCharge({ store, variantId, customerId, priceMinor: 0n })
  await inStore(store.id, async (tx) => {
    const sellable = (await findSellable(tx, [variantId])).get(variantId)
    assert.ok(sellable)
    const { productId, nameI18n, sku } = sellable
    const { id: planId } = await buildPlan(store, { productIds: [productId] })
    const terms = { nameI18n, duration: 1, durationUnit: 'month' as const, cycle: 0, trial: null }
    await startSubscriptions(tx, await findOrder(tx, placed.id), [
      {
        planId,
        productId,
        variantId,
        nameI18n,
        sku,
        quantity: 1,
        unitPriceMinor: 1_000n,
        isPlanPrice: true,
        terms,
      },
    ])
  })
  return placed
}

test('the next recovery reads a card setup whose event was lost', async () => {
  const { order, reference } = await scene()
  await confirmSetup(reference)
  moveClock(5 * MINUTE_MS)
  await drainJobs()
  assert.equal((await order()).status, 'pending', 'control: nobody knows it')

  await recover()

  assert.equal((await order()).status, 'processing')
})

test('after a declined card the buyer saves another one with the same setup', async () => {
  const { order, reference, readSetup, cards } = await scene()

  await notify('setup_intent.setup_failed', await confirmSetup(reference, 'pm_card_chargeDeclined'))
  const declined = await readSetup()
  await notify('setup_intent.succeeded', await confirmSetup(reference, 'pm_card_mastercard'))

  assert.partialDeepStrictEqual(declined, {
    status: 'requires_action',
    failureReason: 'generic_decline',
  })
  assert.equal((await order()).status, 'processing')
  assert.partialDeepStrictEqual(await cards(), [{ brand: 'mastercard' }])
})

test('repeated events and two concurrent jobs serve the order once', async () => {
  const { store, orderId, setupId, reference, cards } = await scene()
  const setup = await confirmSetup(reference)
  const run = { jobId: setupId, retry: 0, signal: AbortSignal.timeout(10_000) }
  const settle = () => settleCardSetup.run({ storeId: store.id, setupId }, run)

  await Promise.all([settle(), settle()])
  await notify('setup_intent.succeeded', setup)
  await notify('setup_intent.succeeded', setup)

  const steps = await inStore(store.id, (tx) => OrderStep.in(tx).where('order_id', orderId))
  assert.deepEqual(
    steps.map(({ toStatus }) => toStatus),
    ['pending', 'processing'],
  )
  assert.equal((await cards()).length, 1)
})

test('a setup that is opened twice after a lost response is one at the gateway', async () => {
  const { store, variantId, customer } = await scene()
  gateway.faults.set({ on: 'POST /v1/setup_intents', mode: 'error_after', times: 1 })

  const { paymentOrSetupId: setupId } = await placeCharge({
    store,
    variantId,
    customerId: customer.id,
    priceMinor: 0n,
  })
  await drainJobs()
  moveClock(MINUTE_MS)
  await drainJobs()

  const made = gateway.ledger().setup_intents.filter(({ metadata }) => metadata.setup_id === setupId)
  assert.equal(made.length, 1)
})

test('an order whose card is not saved in time fails, and its link opens a new setup', async () => {
  const { order, pay, readSetup, reference, setupId, stock } = await scene()
  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()
  const failed = await order()
  const held = await stock()
  // The customer's session is of today.
  moveClock(0)

  const { data } = await pay()
  const next = await readSetup(data.payment.id)
  await notify('setup_intent.succeeded', await confirmSetup(next.gatewayReference ?? ''))

  assert.equal(failed.status, 'failed')
  assert.deepEqual(held, { onHand: 10, allocated: 0, held: 0 })
  assert.equal((await stripe.setupIntents.retrieve(reference)).status, 'canceled')
  assert.equal((await readSetup()).status, 'canceled')
  assert.notEqual(data.payment.id, setupId)
  assert.equal(data.payment.kind, 'setup')
  assert.equal((await order()).status, 'processing')
})

test('an order whose card was saved does not expire when the event is lost', async () => {
  const { order, reference } = await scene()
  await confirmSetup(reference)

  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()

  assert.equal((await order()).status, 'processing')
})

test('canceling the order cancels the setup at the gateway', async () => {
  const { cancel, order, readSetup, reference } = await scene()

  await cancel()
  await drainJobs()

  assert.equal((await order()).status, 'canceled')
  assert.equal((await stripe.setupIntents.retrieve(reference)).status, 'canceled')
  const { status, closedAtGateway } = await readSetup()
  assert.equal(status, 'canceled')
  assert.ok(closedAtGateway)
})

test('a setup whose cancellation the gateway refused at first is canceled by the next attempt', async () => {
  const { cancel, readSetup, reference } = await scene()
  gateway.faults.set({ on: 'POST /v1/setup_intents/*/cancel', mode: 'decline', times: 1 })

  await cancel()
  const failures = (await drainJobs()).filter(({ error }) => error)
  moveClock(10 * MINUTE_MS)
  await drainJobs()

  assert.equal(failures.length, 1)
  assert.equal((await stripe.setupIntents.retrieve(reference)).status, 'canceled')
  assert.ok((await readSetup()).closedAtGateway)
})

test('the card of an order that was canceled in between is removed at the gateway', async () => {
  const { cancel, order, cards, reference } = await scene()
  const { payment_method: card } = await confirmSetup(reference)
  assert.ok(await isSaved(card), 'control: the gateway has saved it')

  await cancel()
  await drainJobs()

  assert.equal((await order()).status, 'canceled')
  assert.deepEqual(await cards(), [])
  assert.equal(await isSaved(card), false)
})

test('an order whose stock was sold before its card was saved is canceled', async () => {
  const { store, variantId, order, reference } = await scene({ units: 1 })
  moveClock(HOUR_MS)
  await drainDueOrders()
  const other = await buildCustomer(store)
  const rival = await placeCharge({ store, variantId, customerId: other.id, priceMinor: 0n })
  await drainDueOrders()

  await notify('setup_intent.succeeded', await confirmSetup(reference))

  assert.equal((await order()).status, 'canceled')
  assert.equal((await readOrder(store, rival.id)).status, 'pending')
})

test('a subscription adopts another card, and an earlier setup of it is canceled', async () => {
  const store = await buildStore()
  const { id, customer } = await buildSubscription(store)
  const start = () =>
    inStore(store.id, async (tx) => {
      await lockSubscription(tx, id)
      return startCardSetup(tx, { customerId: customer.id, subscriptionId: id })
    })
  const [first, second] = [await start(), await start()]
  await drainJobs()
  const read = (setupId: string) =>
    inStore(store.id, (tx) => CardSetup.in(tx).findById(setupId).throwIfNotFound())

  await notify('setup_intent.succeeded', await confirmSetup((await read(second.id)).gatewayReference ?? ''))

  const { card } = await inStore(store.id, (tx) => Subscription.in(tx).findById(id).throwIfNotFound())
  assert.equal((await read(first.id)).status, 'canceled')
  assert.partialDeepStrictEqual(card, { brand: 'visa', last4: '4242' })
})

test('a suspended subscription that adopts another card is charged immediately, before a scan finds it', async () => {
  const store = await buildStore()
  const { id } = await buildSubscription(store)
  await drainJobs()
  const read = () => inStore(store.id, (tx) => Subscription.in(tx).findById(id).throwIfNotFound())
  await inStore(store.id, (tx) =>
    Subscription.in(tx).findById(id).patch({ status: 'suspended', dueAt: null }),
  )
  await inStore(store.id, (tx) =>
    Charge.in(tx).insert({
      subscriptionId: id,
      chargeNo: 2,
      attempts: 5,
      firstFailedAt: now(),
      failureKind: 'gateway',
      failureReason: 'card_declined',
      createdAt: now(),
    }),
  )

  const card = { reference: 'pm_another', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2_050 }
  await inStore(store.id, (tx) => replaceCard(tx, { subscriptionId: id, card, givenAt: now() }))
  await drainJobs()

  assert.partialDeepStrictEqual(await read(), { status: 'active', chargeNo: 3, card })
})

test('a setup of a subscription that nobody confirms expires at the gateway, too', async () => {
  const store = await buildStore()
  const { id, customer } = await buildSubscription(store)
  const setup = await inStore(store.id, (tx) =>
    startCardSetup(tx, { customerId: customer.id, subscriptionId: id }),
  )
  await drainJobs()
  moveClock(DAY_MS + MINUTE_MS)

  await recover()

  const found = await inStore(store.id, (tx) => CardSetup.in(tx).findById(setup.id).throwIfNotFound())
  assert.equal(found.status, 'canceled')
  assert.equal((await stripe.setupIntents.retrieve(found.gatewayReference ?? '')).status, 'canceled')
})

testBooks()
