import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { Customer } from '#shared/customers/customer.ts'
import { Order } from '#shared/orders/order.ts'
import { releaseDueHold } from '#shared/orders/stock/hold.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { at, decline, giveCard, idOf, scene, subscribed } from '#test/support/builders/card-charge-scene.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { confirm } from '#test/support/builders/place-orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { chargeSavedCard } from '#workers/payments/open/charge-saved-card.ts'
import { chargeSubscription } from '#workers/subscriptions/charge-subscription.ts'

beforeEach(() => gateway.faults.clear())

test('the card of the first payment is saved and charged from then on', async () => {
  const { read, captured } = await subscribed()

  const started = await read()
  await at('2027-02-28T10:00Z')

  assert.partialDeepStrictEqual(started, { status: 'active', card: { brand: 'visa', last4: '4242' } })
  assert.deepEqual(captured(), [1_300, 1_300])
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    past_charges: 2,
    next_charge_at: '2027-03-31T10:00:00.000Z',
  })
})

test('a pending subscription expires with its unpaid order, and a late payment activates it from then on', async () => {
  const { add, checkOutByCard, subscriptions, own } = await scene()
  await add()
  const { data } = await checkOutByCard()
  await drainJobs()
  assert.equal((await subscriptions())[0].status, 'pending')
  await at('2027-02-03T10:00Z')
  assert.equal((await subscriptions())[0].status, 'expired')

  const { data: opened } = await own(`POST /orders/${data.order.id}/pay`, {})
  await drainJobs()
  const { data: again } = await own(`POST /orders/${data.order.id}/pay`, {})
  await notify('payment_intent.succeeded', await confirm(idOf(again.payment.client_secret)))

  assert.equal(opened.order.status, 'pending')
  assert.partialDeepStrictEqual((await subscriptions())[0], {
    status: 'active',
    started_at: '2027-02-03T10:00:00.000Z',
    next_charge_at: '2027-03-03T10:00:00.000Z',
  })
})

test('a free first month with paid shipping saves the card, which is charged when the month ends', async () => {
  const { add, checkOutByCard, subscriptions, captured, own } = await scene({
    trial: { priceMinor: 0n, duration: 1, durationUnit: 'month', cycle: 1 },
  })
  await add()
  const { data } = await checkOutByCard()

  assert.equal(data.order.total, 5, 'the shipping')
  await drainJobs()
  const { data: opened } = await own(`POST /orders/${data.order.id}/pay`, {})
  await notify('payment_intent.succeeded', await confirm(idOf(opened.payment.client_secret)))
  assert.partialDeepStrictEqual((await subscriptions())[0], { status: 'active', is_trial: false })
  await at('2027-02-28T10:00Z')

  assert.deepEqual(captured(), [500, 1_300])
})

test('an unpaid order gives its trial back with its stock, and is not payable after another order used it', async () => {
  const { store, add, checkOutByCard, own } = await scene({
    trial: { priceMinor: 100n, duration: 1, durationUnit: 'month', cycle: 1 },
  })
  await add()
  const { data: first } = await checkOutByCard()
  await drainJobs()
  await at('2027-02-03T10:00Z')
  await inStore(store.id, (tx) => releaseDueHold(tx, first.order.id))
  await add()

  const { data: second } = await checkOutByCard()
  const late = await own(`POST /orders/${first.order.id}/pay`, {})
  const { token } = await buildStaff(store, { role: 'owner' })
  const marked = await request(`POST /admin/orders/${first.order.id}/mark-paid`, { token, body: {} })

  assert.deepEqual({ first: first.order.subtotal, second: second.order.subtotal }, { first: 1, second: 1 })
  const USED = { status: 409, error_code: 'recurring_plan.trial_used' }
  assert.partialDeepStrictEqual([late, marked], [USED, USED])
})

test('a declined charge is tried again; another card is charged immediately, with the dates kept', async () => {
  const { read, card, captured, own, path, staff } = await subscribed()
  decline(card, 'decline')
  await at('2027-02-28T10:00Z')
  const failed = await read()
  await at('2027-03-01T10:00Z')
  const again = await read()

  const { status, data: setup } = await own(`POST ${path}/payment-method`)
  await drainJobs()
  const opened = await giveCard({ own, path }, 'pm_card_mastercard')
  await enqueueDueCharges()
  await drainJobs()

  assert.partialDeepStrictEqual(failed, {
    status: 'past_due',
    failed_charge: { attempts: 1, reason: 'insufficient_funds', next_attempt_at: '2027-03-01T10:00:00.000Z' },
  })
  assert.partialDeepStrictEqual(again.failed_charge, {
    attempts: 2,
    next_attempt_at: '2027-03-03T10:00:00.000Z',
  })
  assert.deepEqual(
    { status, kind: setup.kind, second: opened.status },
    { status: 201, kind: 'setup', second: 201 },
  )
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    card: { brand: 'mastercard' },
    failed_charge: null,
    next_charge_at: '2027-03-31T10:00:00.000Z',
  })
  assert.deepEqual(captured(), [1_300, 1_300])
  assert.equal((await staff('GET /admin/subscriptions?status=past_due')).data.length, 0)
})

test('a weekly charge that is paid after seven days is followed by the next one a day later, not immediately', async () => {
  const { read, card, captured } = await subscribed({ durationUnit: 'week' })
  decline(card, 'decline')
  for (const day of ['07', '08', '10', '12']) await at(`2027-02-${day}T10:00Z`)
  decline(card, 'succeed')
  await at('2027-02-14T10:00Z')
  await at('2027-02-14T10:10Z')
  const sums = [...captured()]
  const { next_charge_at } = await read()

  await at('2027-02-15T10:00Z')

  assert.deepEqual(sums, [1_300, 1_300])
  assert.equal(next_charge_at, '2027-02-14T10:00:00.000Z')
  assert.deepEqual(captured(), [1_300, 1_300, 1_300])
  assert.equal((await read()).next_charge_at, '2027-02-21T10:00:00.000Z')
})

test('a charge that needs authentication is paid by the link of its order, and the subscription continues', async () => {
  const { read, card, captured, own } = await subscribed()
  decline(card, 'authenticate')
  await at('2027-02-28T10:00Z')
  const { failed_charge } = await read()

  await own(`POST /orders/${failed_charge.order_id}/pay`, {})
  await drainJobs()
  const { data } = await own(`POST /orders/${failed_charge.order_id}/pay`, {})
  await notify(
    'payment_intent.succeeded',
    await confirm(idOf(data.payment.client_secret), 'pm_card_mastercard'),
  )

  assert.equal(failed_charge.reason, 'authentication_required')
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    card: { brand: 'mastercard' },
    past_charges: 2,
  })
  assert.deepEqual(captured(), [1_300, 1_300])
})

test('a suspended subscription continues at its next date when its order is paid by link', async () => {
  const { read, card, own, captured } = await subscribed()
  decline(card, 'decline')
  for (const day of ['02-28', '03-01', '03-03', '03-05', '03-07']) await at(`2027-${day}T10:00Z`)
  const { status, failed_charge } = await read()
  await at('2027-05-10T10:00Z')

  await own(`POST /orders/${failed_charge.order_id}/pay`, {})
  await drainJobs()
  const { data } = await own(`POST /orders/${failed_charge.order_id}/pay`, {})
  await notify(
    'payment_intent.succeeded',
    await confirm(idOf(data.payment.client_secret), 'pm_card_mastercard'),
  )

  assert.deepEqual({ status, attempts: failed_charge.attempts }, { status: 'suspended', attempts: 5 })
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    next_charge_at: '2027-05-31T10:00:00.000Z',
  })
  assert.deepEqual(captured(), [1_300, 1_300])
})

test('a customer who opens the link to pay while the charge waits to be sent pays once', async () => {
  const { read, own, captured } = await subscribed()
  freezeClock(new Date('2027-02-28T10:00Z'))
  await enqueueDueCharges()
  await drainJobs([chargeSubscription])
  const { data: orders } = await own('GET /orders?sort=-created_at')

  const first = await own(`POST /orders/${orders[0].id}/pay`, {})
  await drainJobs()
  const second = await own(`POST /orders/${orders[0].id}/pay`, {})

  assert.equal(first.status, 200)
  assert.equal(second.error_code, 'order.not_payable', 'the saved card has paid it')
  assert.partialDeepStrictEqual(await read(), { status: 'active', past_charges: 2, failed_charge: null })
  assert.deepEqual(captured(), [1_300, 1_300])
})

test('two lines of one order start two subscriptions, each with the card and charges of its own', async () => {
  const built = await scene()
  const { add, checkOutByCard, subscriptions, captured, own, store, staff } = built
  const productIds = [(await staff('GET /admin/products')).data[0].id as string]
  const weekly = await buildPlan(store, { productIds, durationUnit: 'week', priceMinor: 300n })
  await add()
  await add({ recurring_plan_id: weekly.id })
  const { data } = await checkOutByCard()
  await drainJobs()
  const { data: opened } = await own(`POST /orders/${data.order.id}/pay`, {})
  await notify('payment_intent.succeeded', await confirm(idOf(opened.payment.client_secret)))

  const started = await subscriptions()
  await at('2027-02-07T10:00Z')

  assert.deepEqual(
    started.map((one: { status: string; card: { last4: string } }) => ({
      status: one.status,
      last4: one.card.last4,
    })),
    [
      { status: 'active', last4: '4242' },
      { status: 'active', last4: '4242' },
    ],
  )
  assert.deepEqual(captured(), [1_600, 800])
})

test('a subscription that is being charged is neither canceled nor paused until the outcome is known', async () => {
  const { read, own, staff, path, captured, store } = await subscribed()
  freezeClock(new Date('2027-02-28T10:00Z'))
  await enqueueDueCharges()
  await drainJobs([chargeSubscription])
  const payment = await inStore(store.id, (tx) =>
    Payment.in(tx).findOne({ card_use: 'saved' }).throwIfNotFound(),
  )
  gateway.faults.set({ on: 'POST /v1/payment_intents', mode: 'error_after' })
  const run = { jobId: payment.id, retry: 0, signal: AbortSignal.timeout(10_000) }
  await assert.rejects(chargeSavedCard.run({ storeId: store.id, paymentId: payment.id }, run))
  gateway.faults.clear()

  const refused = [
    await own(`POST ${path}/cancel`),
    await own(`POST ${path}/pause`),
    await staff(`POST /admin${path}/cancel`),
    await staff(`POST /admin${path}/pause`),
  ]
  await drainJobs()
  const canceled = await own(`POST ${path}/cancel`)

  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'subscription.charge_in_progress' })
  assert.partialDeepStrictEqual(canceled, { status: 200, data: { status: 'canceled', past_charges: 2 } })
  assert.deepEqual(captured(), [1_300, 1_300])
  assert.equal((await read()).status, 'canceled')
})

test('a charge whose order waits to be sent is canceled with its subscription, and never sent', async () => {
  const { own, path, captured } = await subscribed()
  freezeClock(new Date('2027-02-28T10:00Z'))
  await enqueueDueCharges()
  await drainJobs([chargeSubscription])

  const { data } = await own(`POST ${path}/cancel`)
  await drainJobs()

  assert.equal(data.status, 'canceled')
  assert.deepEqual(captured(), [1_300])
})

test("when staff cancel a charge's order, another charge replaces it, and the number of paid charges stays", async () => {
  const { id, card, read, staff, captured } = await subscribed({ cycle: 3 })
  decline(card, 'decline')
  await at('2027-02-28T10:00Z')
  const [{ id: orderId }] = (await staff(`GET /admin/orders?subscription_id=${id}&status=failed`)).data

  assert.equal((await staff(`PATCH /admin/orders/${orderId}`, { status: 'canceled' })).status, 200)
  await drainJobs()
  decline(card, 'succeed')

  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    past_charges: 2,
    charges_left: 2,
    next_charge_at: '2027-03-31T10:00:00.000Z',
  })
  await at('2027-03-31T10:00Z')
  await at('2027-04-30T10:00Z')
  assert.partialDeepStrictEqual(await read(), { status: 'completed', past_charges: 4, charges_left: 0 })
  assert.equal(captured().length, 3)
})

test('an order that starts two subscriptions is among the orders of both', async () => {
  const { store, add, checkOutByCard, subscriptions, own, plan, staff } = await scene()
  const productIds = [(await staff('GET /admin/products')).data[0].id as string]
  const other = await buildPlan(store, { productIds })
  await add()
  await add({ recurring_plan_id: other.id })
  const { data } = await checkOutByCard()
  const started = await subscriptions()

  for (const { id } of started)
    for (const list of [own, staff]) {
      const line = `GET ${list === staff ? '/admin' : ''}/orders?subscription_id=${id}`
      assert.deepEqual(
        (await list(line)).data.map((order: { id: string }) => order.id),
        [data.order.id],
      )
    }
  assert.deepEqual(
    new Set(started.map((one: { recurring_plan_id: string }) => one.recurring_plan_id)),
    new Set([plan.id, other.id]),
  )
})

test('a suspended subscription whose order is canceled is not charged until it has another card', async () => {
  const { read, card, own, path, captured } = await subscribed()
  decline(card, 'decline')
  for (const day of ['02-28', '03-01', '03-03', '03-05', '03-07']) await at(`2027-${day}T10:00Z`)
  const { failed_charge } = await read()
  decline(card, 'succeed')
  await own(`POST /orders/${failed_charge.order_id}/cancel`, {})
  await drainJobs()

  for (const day of ['03-31', '04-30']) await at(`2027-${day}T12:00Z`)
  const canceled = await read()
  const charged = captured()
  await giveCard({ own, path }, 'pm_card_mastercard')

  assert.partialDeepStrictEqual(canceled, { status: 'suspended', failed_charge: null })
  assert.deepEqual(charged, [1_300])
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    next_charge_at: '2027-05-31T10:00:00.000Z',
    card: { brand: 'mastercard' },
  })
  assert.deepEqual(captured(), [1_300])
})

test('the next attempt of a failed charge sends the changed quantity to the changed address', async () => {
  const { id, card, own, path, store, captured } = await subscribed()
  decline(card, 'decline')
  await at('2027-02-28T10:00Z')
  const shipping_address = { ...ADDRESS, address_1: 'New Street 5' }

  const ofNothing = await own(`PATCH ${path}`, { quantity: 1 })
  const change = await own(`PATCH ${path}`, { quantity: 2, shipping_address })
  decline(card, 'succeed')
  await at('2027-03-01T10:00Z')

  assert.notEqual(ofNothing.data.failed_charge.order_id, null)
  assert.partialDeepStrictEqual(change, {
    status: 200,
    data: { status: 'past_due', failed_charge: { order_id: null, attempts: 1 } },
  })
  const orders = await inStore(store.id, (tx) =>
    Order.in(tx).where('subscription_id', id).where('charge_no', '>', 1).orderBy('charge_no'),
  )
  assert.partialDeepStrictEqual(orders, [
    { status: 'canceled', subtotalMinor: 800n },
    { status: 'processing', subtotalMinor: 1_600n, shippingAddress: { address_1: 'New Street 5' } },
  ])
  assert.deepEqual(captured(), [1_300, 2_100])
})

test('a subscription does not change while the gateway is making the retry of its charge', async () => {
  const { card, own, staff, path, store } = await subscribed()
  decline(card, 'decline')
  await at('2027-02-28T10:00Z')
  freezeClock(new Date('2027-03-01T10:00Z'))
  await enqueueDueCharges()
  await drainJobs([chargeSubscription])
  await inStore(store.id, (tx) => Payment.in(tx).where('status', 'pending').patch({ sentAt: now() }))

  const byCustomer = await own(`PATCH ${path}`, { quantity: 2 })
  const byStaff = await staff(`PATCH /admin${path}`, { quantity: 2 })

  const REFUSED = { status: 409, error_code: 'subscription.charge_in_progress' }
  assert.partialDeepStrictEqual([byCustomer, byStaff], [REFUSED, REFUSED])
})

test('the subscription of a deactivated customer waits while the gateway is making its charge', async () => {
  const { id, store, customer } = await subscribed()
  freezeClock(new Date('2027-02-28T10:00Z'))
  await enqueueDueCharges()
  await drainJobs([chargeSubscription])
  await inStore(store.id, async (tx) => {
    await Payment.in(tx).where('status', 'pending').patch({ sentAt: now() })
    await Customer.in(tx).findById(customer.id).patch({ isActive: false })
    await Subscription.in(tx).findById(id).patch({ dueAt: now() })
  })

  await enqueueDueCharges()
  await drainJobs([chargeSubscription])

  const waiting = await inStore(store.id, (tx) => Subscription.in(tx).findById(id))
  assert.partialDeepStrictEqual(waiting, { status: 'active', dueAt: new Date('2027-02-28T11:00Z') })
})

test('a card that is read late does not replace the card that the customer has given since', async () => {
  const { id, store, read, own, path, card } = await subscribed()
  await drainJobs()
  freezeClock(new Date('2027-02-01T10:00Z'))
  await giveCard({ own, path }, 'pm_card_mastercard')
  await drainJobs()
  const late = { reference: card, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2_050 }

  await inStore(store.id, (tx) =>
    replaceCard(tx, { subscriptionId: id, card: late, givenAt: new Date('2027-01-31T10:00Z') }),
  )

  assert.partialDeepStrictEqual(await read(), { card: { brand: 'mastercard' } })
})

testBooks()
