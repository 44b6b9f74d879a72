import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { recoverPayments } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { eraseCards } from '#shared/payments/saved-cards/erase-cards.ts'
import { startSavedCardPayment } from '#shared/payments/saved-cards/start-saved-card-payment.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import type { FaultMode } from '#test/sandbox/gateway/faults.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { chargeCard, placeCharge } from '#test/support/builders/charges.ts'
import { buildShop, confirm, referenceOf, stripe } from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify, sendEvent } from '#test/support/processes/notify.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'
import { chargeSavedCard } from '#workers/payments/open/charge-saved-card.ts'
import { openPayment } from '#workers/payments/open/open-payment.ts'

beforeEach(() => gateway.faults.clear())

const PAYMENT_INTENTS = 'POST /v1/payment_intents'

type Scene = Awaited<ReturnType<typeof scene>>

/** A customer of a shop with ten units. */
async function scene() {
  const { store, variantId } = await buildShop(10)
  const customer = await buildCustomer(store)
  const read = (paymentId: string) =>
    inStore(store.id, (tx) => Payment.in(tx).findById(paymentId).throwIfNotFound())
  return {
    store,
    customer,
    read,
    place: async (given: { savedCard?: string; chargeNo?: number; subscriptionId?: string } = {}) => {
      const placed = await placeCharge({ store, variantId, customerId: customer.id, ...given })
      return { ...placed, paymentId: placed.paymentOrSetupId }
    },
    stock: () => stockOf(store, variantId),
    order: (orderId: string) => readOrder(store, orderId),
    pay: (orderId: string) =>
      request(`POST /orders/${orderId}/pay`, {
        store,
        token: customer.token,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    cancel: (orderId: string) =>
      inStore(store.id, (tx) => changeOrderStatus(tx, orderId, 'canceled', 'system')),
    cards: () => rowsOf('saved_cards', store),
    customersAtGateway: () => rowsOf('gateway_customers', store),
    /** What the order's buyer was charged in minor units, over all payments at the gateway. */
    charged: (orderId: string) =>
      gateway
        .ledger()
        .payment_intents.filter(({ metadata }) => metadata.order_id === orderId)
        .reduce((sum, { amount_received }) => sum + amount_received, 0),
  }
}

const rowsOf = (table: string, { id }: { id: string }): Promise<Record<string, unknown>[]> =>
  inStore(id, (tx) => tx.knex(table).where('store_id', id).orderBy('created_at'))

/** A customer whose first charge is paid with a card, which is kept. */
async function withCard() {
  const built = await scene()
  const first = await built.place()
  await drainJobs()
  await notify('payment_intent.succeeded', await confirmOf(built, first.paymentId))
  const [saved] = await built.cards()
  return { ...built, first, reference: String(saved?.reference) }
}

const confirmOf = async ({ store }: Pick<Scene, 'store'>, paymentId: string, card?: string) =>
  confirm(await referenceOf(store, paymentId), card)

const recover = async () => {
  await (await queues()).send(recoverPayments.queue, {})
  return drainJobs()
}

const loseJobs = ({ store }: Pick<Scene, 'store'>) =>
  db().raw("delete from pgboss.job where data->>'storeId' = ?", [store.id])

test('the card of the first charge is saved when the payment is captured', async () => {
  const { first, order, cards, read } = await withCard()

  const [card, ...others] = await cards()
  assert.equal((await order(first.id)).status, 'processing')
  assert.equal(others.length, 0)
  assert.partialDeepStrictEqual(card, { brand: 'visa', last4: '4242', exp_month: 12 })
  assert.partialDeepStrictEqual(await read(first.paymentId), {
    cardUse: 'save',
    cardReference: card?.reference,
  })
})

test('a saved card is charged later without the buyer', async () => {
  const { place, order, read, reference, charged } = await withCard()

  const second = await place({ savedCard: reference, chargeNo: 2 })
  await drainJobs()

  assert.partialDeepStrictEqual(await order(second.id), {
    status: 'processing',
    amountCapturedMinor: 1_000n,
  })
  assert.partialDeepStrictEqual(await read(second.paymentId), {
    status: 'captured',
    cardUse: 'saved',
    capturedMinor: 1_000n,
  })
  assert.equal(charged(second.id), 1_000)
})

test('payments that are opened concurrently create one customer at the gateway', async () => {
  const { store, place, customersAtGateway } = await scene()
  const orders = [await place(), await place(), await place()]
  gateway.faults.set({ on: 'POST /v1/customers', mode: 'slow', delay_ms: 100 })

  const open = ({ paymentId }: { paymentId: string }) =>
    openPayment.run(
      { storeId: store.id, paymentId },
      { jobId: paymentId, retry: 0, signal: AbortSignal.timeout(10_000) },
    )
  const runs = await Promise.allSettled(orders.map(open))
  // The gateway refuses a key that is in use: the queue repeats the job.
  for (const [index, { status }] of runs.entries())
    if (status === 'rejected') await open(orders[index] ?? { paymentId: '' })

  const references = await Promise.all(orders.map(({ paymentId }) => referenceOf(store, paymentId)))
  const intents = await Promise.all(references.map((id) => stripe.paymentIntents.retrieve(id)))
  const [customer, ...others] = await customersAtGateway()
  assert.equal(others.length, 0)
  assert.deepEqual(
    intents.map((intent) => intent.customer),
    intents.map(() => customer?.reference),
  )
})

for (const { charges, reason } of [
  { charges: 'decline', reason: 'insufficient_funds' },
  { charges: 'authenticate', reason: 'authentication_required' },
] as const)
  test(`${reason}: the charge fails, and the buyer pays the order by its link`, async () => {
    const { store, place, order, read, pay, reference, charged, stock } = await withCard()
    behave(reference, charges)
    const second = await place({ savedCard: reference, chargeNo: 2 })
    await drainJobs()
    const declined = await read(second.paymentId)
    const failed = await order(second.id)

    const { data } = await pay(second.id)
    await drainJobs()
    await notify('payment_intent.succeeded', await confirmOf({ store }, data.payment.id))

    assert.partialDeepStrictEqual(declined, { status: 'failed', failureReason: reason })
    assert.ok(declined.gatewayReference && declined.clientSecret)
    assert.equal(failed.status, 'failed')
    assert.equal(data.payment.kind, 'payment')
    assert.partialDeepStrictEqual(await read(data.payment.id), { status: 'captured', cardUse: 'save' })
    assert.equal((await order(second.id)).status, 'processing')
    assert.equal(charged(second.id), 1_000)
    assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
  })

test('a charge that failed is made again for the same order', async () => {
  const { store, place, order, reference, charged, stock } = await withCard()
  behave(reference, 'decline')
  const second = await place({ savedCard: reference, chargeNo: 2 })
  await drainJobs()
  behave(reference, 'succeed')

  const payment = await chargeCard(store, second.id, reference)
  const pending = await order(second.id)
  await drainJobs()

  assert.notEqual(payment.id, second.paymentId)
  assert.equal(pending.status, 'pending')
  assert.equal((await order(second.id)).status, 'processing')
  assert.equal(charged(second.id), 1_000)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

const behave = (reference: string, charges: 'decline' | 'authenticate' | 'succeed') =>
  gateway.change((context) =>
    changeBehaviour(context, reference, { charges, decline_code: 'insufficient_funds' }),
  )

test('a charge that is still awaited is not made a second time', async () => {
  const { store, place, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })

  const again = await chargeCard(store, second.id, reference)
  await drainJobs()

  assert.equal(again.id, second.paymentId)
  assert.equal(charged(second.id), 1_000)
})

const UNANSWERED: FaultMode[] = ['error_before', 'error_after', 'refuse']
for (const mode of UNANSWERED)
  test(`${mode}: the charge is repeated with the same key and made once`, async () => {
    const { place, order, read, reference, charged } = await withCard()
    const second = await place({ savedCard: reference, chargeNo: 2 })
    // Twice: the library repeats a closed connection once.
    gateway.faults.set({ on: PAYMENT_INTENTS, mode, times: mode === 'refuse' ? 2 : 1 })

    await drainJobs()
    const unknown = await read(second.paymentId)
    moveClock(MINUTE_MS)
    await drainJobs()

    assert.partialDeepStrictEqual(unknown, { status: 'pending', gatewayReference: null })
    assert.ok(unknown.sentAt)
    assert.equal((await order(second.id)).status, 'processing')
    assert.equal(charged(second.id), 1_000)
  })

test('a charge whose job was lost is enqueued by the next recovery', async () => {
  const { store, place, order, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_after', times: 1 })
  await drainJobs()
  await loseJobs({ store })
  moveClock(3 * MINUTE_MS)
  await drainJobs()
  assert.equal((await order(second.id)).status, 'pending', 'control: the job is lost')

  await recover()

  assert.equal((await order(second.id)).status, 'processing')
  assert.equal(charged(second.id), 1_000)
})

test('after the key expired, the charge of the first call is found at the gateway', async () => {
  const { place, order, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_after', times: 1 })
  await drainJobs()
  const seq = gateway.arrivals.list().at(-1)?.seq ?? 0

  moveClock(23 * HOUR_MS + MINUTE_MS)
  await drainJobs()

  assert.equal((await order(second.id)).status, 'processing')
  assert.equal(charged(second.id), 1_000)
  assert.ok(gateway.arrivals.list({ after: seq, phase: 'received' }).every(({ method }) => method === 'GET'))
})

for (const { found, lateBy } of [
  { found: 'by a repeat', lateBy: HOUR_MS },
  { found: 'after the key expired', lateBy: 24 * HOUR_MS },
])
  test(`a charge whose response was lost, and that has since been refunded, is found ${found} with its refund`, async () => {
    const { place, order, reference, charged } = await withCard()
    const second = await place({ savedCard: reference, chargeNo: 2 })
    gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_after', times: 1 })
    await drainJobs()
    const made = gateway.ledger().payment_intents.find(({ metadata }) => metadata.order_id === second.id)
    const refund = gateway.change((context) => createRefund(context, { payment_intent: made?.id ?? '' }))
    await notify('refund.created', refund)

    moveClock(lateBy)
    await drainJobs()

    assert.equal(charged(second.id), 1_000)
    assert.partialDeepStrictEqual(await order(second.id), {
      status: 'refunded',
      amountCapturedMinor: 1_000n,
      amountRefundedMinor: 1_000n,
    })
  })

test('a charge that is canceled before it is sent is never sent', async () => {
  const { place, order, read, cancel, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })

  await cancel(second.id)
  await drainJobs()

  assert.equal((await order(second.id)).status, 'canceled')
  assert.partialDeepStrictEqual(await read(second.paymentId), { status: 'canceled', sentAt: null })
  assert.equal(charged(second.id), 0)
})

test('a cancellation waits for a charge that is being sent, and the charge is not sent again', async () => {
  const { store, place, read, cancel, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  const sending = await pending(
    (work) => inStore(store.id, work),
    (tx) => startSavedCardPayment(tx, second.paymentId),
  )

  const canceling = cancel(second.id)
  await untilOneWaits()
  sending.commit()
  await Promise.all([sending.done, canceling])
  // The worker ended before it called the gateway.
  await drainJobs()

  const payment = await read(second.paymentId)
  assert.equal(payment.status, 'canceled')
  assert.ok(payment.sentAt)
  assert.equal(charged(second.id), 0)
})

test('a charge that two workers send concurrently is made once', async () => {
  const { store, place, order, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'slow', delay_ms: 100, times: 1 })
  const seq = gateway.arrivals.list().at(-1)?.seq ?? 0
  const run = { jobId: second.paymentId, retry: 0, signal: AbortSignal.timeout(10_000) }
  const send = () => chargeSavedCard.run({ storeId: store.id, paymentId: second.paymentId }, run)

  await Promise.allSettled([send(), send()])
  await drainJobs()

  const sent = gateway.arrivals
    .list({ after: seq, phase: 'received' })
    .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
  assert.ok(sent.length >= 2, 'control: both have called the gateway')
  assert.equal((await order(second.id)).status, 'processing')
  assert.equal(charged(second.id), 1_000)
})

test('a charge that is canceled after it was sent is looked up, and its money returned', async () => {
  const { store, place, order, cancel, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_after', times: 1 })
  await drainJobs()

  await cancel(second.id)
  moveClock(MINUTE_MS)
  await drainJobs()

  const { token } = await buildStaff(store, { role: 'owner' })
  const { data } = await request(`GET /admin/orders/${second.id}`, { token })
  assert.equal((await order(second.id)).status, 'canceled')
  assert.equal(charged(second.id), 1_000)
  assert.partialDeepStrictEqual(data, {
    surpluses: [{ reason: 'order_canceled', status: 'returned', amount: 10 }],
  })
})

test('a sent charge that did not reach the gateway is not made after the cancellation', async () => {
  const { place, read, cancel, reference, charged } = await withCard()
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_before', times: 1 })
  await drainJobs()

  await cancel(second.id)
  for (const minute of [1, 3, 6, 10]) {
    moveClock(minute * MINUTE_MS)
    await drainJobs()
  }

  const payment = await read(second.paymentId)
  assert.equal(payment.status, 'canceled')
  assert.ok(payment.closedAtGateway)
  assert.equal(charged(second.id), 0)
})

test('the event of a declined charge that arrives before its response keeps the payment payable', async () => {
  const { place, order, read, reference } = await withCard()
  behave(reference, 'decline')
  const second = await place({ savedCard: reference, chargeNo: 2 })
  gateway.faults.set({ on: PAYMENT_INTENTS, mode: 'error_after', times: 1 })
  await drainJobs()
  const made = gateway.ledger().payment_intents.find(({ metadata }) => metadata.order_id === second.id)

  await notify('payment_intent.payment_failed', made ?? {})

  assert.equal((await order(second.id)).status, 'failed')
  assert.partialDeepStrictEqual(await read(second.paymentId), {
    status: 'failed',
    failureReason: 'insufficient_funds',
    gatewayReference: made?.id,
  })
})

test('a card that the customer has removed at the gateway is refused, and nothing is left open', async () => {
  const { place, order, read, reference } = await withCard()
  await stripe.paymentMethods.detach(reference)
  const second = await place({ savedCard: reference, chargeNo: 2 })

  await drainJobs()

  assert.equal((await order(second.id)).status, 'failed')
  const payment = await read(second.paymentId)
  assert.partialDeepStrictEqual(payment, { status: 'failed', gatewayReference: null })
  assert.ok(payment.closedAtGateway)
})

test('when the job that saves a card is lost, the next recovery saves the card', async () => {
  const built = await scene()
  const first = await built.place()
  await drainJobs()
  const intent = await confirmOf(built, first.paymentId, 'pm_card_visa')
  await sendEvent('payment_intent.succeeded', intent)
  await drainJobs([applyNotification])
  await loseJobs(built)
  moveClock(3 * MINUTE_MS)
  assert.equal((await built.cards()).length, 0, 'control: the job is lost')

  await recover()

  assert.equal((await built.cards()).length, 1)
})

test('anonymizing a customer removes the cards here and at the gateway', async () => {
  const { store, customer, first, cards, customersAtGateway, reference } = await withCard()
  const { token } = await buildStaff(store, { role: 'owner' })
  await inStore(store.id, (tx) => changeOrderStatus(tx, first.id, 'complete', 'system'))

  const { data: kept } = await request(`GET /admin/customers/${customer.id}/export`, { token })
  const { status } = await request(`POST /admin/customers/${customer.id}/anonymize`, { token, body: {} })
  await drainJobs()

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(kept.saved_cards, [{ brand: 'visa', last4: '4242' }])
  assert.deepEqual([...(await cards()), ...(await customersAtGateway())], [])
  assert.equal((await stripe.paymentMethods.retrieve(reference)).customer, null)
})

test('the card of a customer who was erased in between is removed at the gateway', async () => {
  const built = await scene()
  const first = await built.place()
  await drainJobs()
  const intent = await confirmOf(built, first.paymentId, 'pm_card_visa')
  await inStore(built.store.id, (tx) => eraseCards(tx, built.customer.id))

  await notify('payment_intent.succeeded', intent)

  const method = (await stripe.paymentIntents.retrieve(intent.id)).payment_method
  assert.equal((await built.cards()).length, 0)
  assert.equal((await stripe.paymentMethods.retrieve(String(method))).customer, null)
})

testBooks()
