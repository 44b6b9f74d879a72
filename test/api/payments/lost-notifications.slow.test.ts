import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { OrderStep } from '#shared/orders/order-step.ts'
import { readMissedNotifications, recoverPayments } from '#shared/payments/jobs.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { recordEvent } from '#test/sandbox/gateway/events.ts'
import { createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import {
  buildShop,
  confirm,
  placeCardOrder,
  referenceOf,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify, sendEvent } from '#test/support/processes/notify.ts'
import { RUNS_TWICE } from '#test/support/runner/jobs-twice.ts'

// The gateway of these tests has no webhook: every event is lost unless the test delivers it.

beforeEach(async () => {
  gateway.faults.clear()
  await db()('notification_cursors').delete()
})

const run = async (job: { queue: string }) => {
  await (await queues()).send(job.queue, {})
  return drainJobs()
}

/** Ten minutes in which the schedule runs as it does every two minutes. */
async function tenMinutesPass() {
  for (let minute = 2; minute <= 10; minute += 2) {
    moveClock(minute * MINUTE_MS)
    await run(readMissedNotifications)
    await run(recoverPayments)
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

async function scene({ card = 'pm_card_visa', isPaid = false } = {}) {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  if (isPaid) await notify('payment_intent.succeeded', await confirm(order.reference, card))
  const payment = { payment_intent: order.reference }
  return {
    shop,
    order,
    token,
    payment,
    async read() {
      const { data } = await request(`GET /admin/orders/${order.id}`, { token })
      const { data: refunds } = await request(`GET /admin/orders/${order.id}/refunds`, { token })
      return { ...data, refunds }
    },
    pay: () =>
      request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
        store: shop.store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    refundInDashboard: () =>
      gateway.change((context) => createRefund(context, { ...payment, amount: '1000' })),
    stock: () => stockOf(shop.store, shop.variantId),
    chargedAtGateway: () =>
      gateway
        .ledger()
        .payment_intents.filter(({ metadata }) => metadata.order_id === order.id)
        .reduce((sum, { amount_received }) => sum + amount_received, 0),
  }
}

interface Lost {
  event: string
  card?: string
  isPaid?: boolean
  happen(scene: Scene): unknown
  expected: object
}

const LOST: Lost[] = [
  {
    event: 'payment_intent.succeeded',
    happen: ({ order }) => confirm(order.reference),
    expected: { status: 'processing', amount_captured: 25 },
  },
  {
    event: 'payment_intent.payment_failed',
    happen: ({ order }) => confirm(order.reference, 'pm_card_chargeDeclined'),
    expected: { status: 'failed', payments: [{ failure_reason: 'generic_decline' }] },
  },
  {
    event: 'payment_intent.canceled',
    happen: ({ order }) => stripe.paymentIntents.cancel(order.reference),
    expected: { status: 'failed', payments: [{ status: 'canceled' }] },
  },
  {
    event: 'refund.created',
    isPaid: true,
    happen: ({ refundInDashboard }) => refundInDashboard(),
    expected: { amount_refunded: 10 },
  },
  {
    event: 'refund.updated',
    isPaid: true,
    card: 'pm_card_pendingRefund',
    async happen({ refundInDashboard }) {
      const made = refundInDashboard()
      await notify('refund.created', made)
      gateway.change((context) => settleRefund(context, made.id, 'succeeded'))
    },
    expected: { amount_refunded: 10 },
  },
  {
    event: 'refund.failed',
    isPaid: true,
    card: 'pm_card_pendingRefund',
    async happen({ refundInDashboard }) {
      const made = refundInDashboard()
      await notify('refund.created', made)
      gateway.change((context) => settleRefund(context, made.id, 'failed'))
    },
    expected: { amount_refunded: 0, refunds: [{ status: 'failed' }] },
  },
  {
    event: 'charge.dispute.created',
    isPaid: true,
    happen: ({ payment }) => gateway.change((context) => openDispute(context, payment)),
    expected: { disputes: [{ status: 'needs_response' }] },
  },
  {
    event: 'charge.dispute.updated',
    isPaid: true,
    async happen({ payment }) {
      const dispute = gateway.change((context) => openDispute(context, payment))
      await notify('charge.dispute.created', dispute)
      gateway.change((context) => changeDispute(context, dispute.id, 'under_review'))
    },
    expected: { disputes: [{ status: 'under_review' }] },
  },
  {
    event: 'charge.dispute.closed',
    isPaid: true,
    async happen({ payment }) {
      const dispute = gateway.change((context) => openDispute(context, payment))
      await notify('charge.dispute.created', dispute)
      gateway.change((context) => changeDispute(context, dispute.id, 'lost'))
    },
    expected: { status: 'refunded', amount_refunded: 25, disputes: [{ status: 'lost' }] },
  },
]

for (const { event, card, isPaid, happen, expected } of LOST)
  test(`a lost ${event} is applied within ten minutes`, async () => {
    const built = await scene({ ...(card ? { card } : {}), ...(isPaid ? { isPaid } : {}) })
    await happen(built)
    await drainJobs()
    const before = await built.read()
    assert.throws(
      () => assert.partialDeepStrictEqual(before, expected),
      'control: without the schedule the books do not know it',
    )

    await tenMinutesPass()

    assert.partialDeepStrictEqual(await built.read(), expected)
  })

test('events that arrive twice and in reverse order leave the same books', async () => {
  const { order, shop, read } = await scene({ card: 'pm_card_visa' })
  await confirm(order.reference, 'pm_card_chargeDeclined')
  await confirm(order.reference)
  gateway.change((context) => createRefund(context, { payment_intent: order.reference, amount: '1000' }))
  const { data: events } = await stripe.events.list({ limit: 50 })
  const own = events.filter(({ data }) => JSON.stringify(data).includes(order.reference))

  for (const event of [...own, ...own])
    await receiveNotification({
      provider: 'stripe',
      id: event.id,
      type: event.type,
      object: { ...event.data.object },
    })
  await drainJobs()

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_captured: 25,
    amount_refunded: 10,
  })
  assert.equal((await readOrder(shop.store, order.id)).amountRefundedMinor, 1_000n)
})

test('a refund whose capture is not known yet reads the payment first', async () => {
  const { order, refundInDashboard, read } = await scene()
  await confirm(order.reference)

  await notify('refund.created', refundInDashboard())

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_captured: 25,
    amount_refunded: 10,
    refunds: [{ origin: 'gateway', status: 'succeeded' }],
  })
})

test("a lost capture is found by reading the payment when the gateway's list of events fails", async () => {
  const { order, read } = await scene()
  await confirm(order.reference)
  gateway.faults.set({ on: 'GET /v1/events', mode: 'error_before', times: 100 })

  await tenMinutesPass()

  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_captured: 25 })
})

test('an order that was paid does not expire when the event is lost', async () => {
  const { order, shop, stock } = await scene()
  await confirm(order.reference)

  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()

  assert.partialDeepStrictEqual(await readOrder(shop.store, order.id), {
    status: 'processing',
    amountCapturedMinor: 2_500n,
  })
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('an order does not expire while the gateway does not respond', async () => {
  const { order, shop } = await scene()
  await confirm(order.reference)
  gateway.faults.set({ on: 'POST /v1/payment_intents/*/cancel', mode: 'error_before', times: 3 })

  moveClock(DAY_MS + MINUTE_MS)
  const failures = (await drainDueOrders()).filter(({ error }) => error)

  assert.equal(failures.length, 3)
  const steps = await inStore(shop.store.id, (tx) => OrderStep.in(tx).where('order_id', order.id))
  assert.deepEqual(
    steps.map(({ toStatus }) => toStatus),
    ['pending', 'processing'],
  )
})

test('an order expires after an outage of the gateway that outlasted the retries of its job', async () => {
  const { order, shop } = await scene()
  gateway.faults.set({ on: 'POST /v1/payment_intents/*/cancel', mode: 'error_before', times: 1_000 })
  moveClock(DAY_MS + MINUTE_MS)
  for (let minute = 0; minute <= 60; minute += 10) {
    moveClock(DAY_MS + (1 + minute) * MINUTE_MS)
    await drainDueOrders()
  }
  const duringOutage = await readOrder(shop.store, order.id)
  gateway.faults.clear()

  moveClock(DAY_MS + 70 * MINUTE_MS)
  await drainDueOrders()

  assert.equal(duringOutage.status, 'pending')
  assert.equal((await readOrder(shop.store, order.id)).status, 'failed')
  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
})

test('a payment whose cancellation the gateway refused at first is canceled by the next attempt', async () => {
  const { order, shop, read } = await scene()
  gateway.faults.set({ on: 'POST /v1/payment_intents/*/cancel', mode: 'decline', times: 1 })

  await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store: shop.store })
  const failures = (await drainJobs()).filter(({ error }) => error)
  moveClock(10 * MINUTE_MS)
  await drainJobs()

  assert.equal(failures.length, 1)
  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
  assert.partialDeepStrictEqual(await read(), { status: 'canceled', payments: [{ status: 'canceled' }] })
})

test('a canceled order whose payment was captured returns the money without the event', async () => {
  const { order, shop, read } = await scene()
  await confirm(order.reference)

  await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store: shop.store })
  await drainJobs()

  assert.partialDeepStrictEqual(await read(), {
    status: 'canceled',
    amount_captured: 0,
    surpluses: [{ reason: 'order_canceled', status: 'returned', amount: 25 }],
  })
})

test('paying again after a lost capture charges the buyer once', async () => {
  const { order, shop, pay, read, chargedAtGateway } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
  await confirm(order.reference)

  const { data } = await pay()
  await drainJobs()

  assert.equal(await referenceOf(shop.store, data.payment.id), '')
  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_captured: 25 })
  assert.equal(chargedAtGateway(), 2_500)
})

test('a notification that cannot be saved does not stop the others, and ends as a dead letter', async () => {
  const { order, read } = await scene()
  const intent = await confirm(order.reference)
  gateway.change((context) =>
    recordEvent(context, 'payment_intent.payment_failed', { ...intent, description: '\0' } as never),
  )

  const failed = (await run(readMissedNotifications)).filter(({ error }) => error)

  assert.deepEqual([...new Set(failed.map(({ queue }) => queue))], ['save-missed-notification'])
  assert.equal((await read()).status, 'processing')
})

test('a notification that no job handled is enqueued again by the next recovery and by a resend', async () => {
  for (const resume of ['recovery', 'resend'] as const) {
    const { order, shop, read } = await scene()
    const intent = await confirm(order.reference)
    const id = `evt_${order.id}`
    await sendEvent('payment_intent.succeeded', intent, { id })
    await db().raw("delete from pgboss.job where data->>'storeId' = ?", [shop.store.id])
    moveClock(3 * MINUTE_MS)
    await drainJobs()
    assert.equal((await read()).status, 'pending', 'control: the job is lost')

    if (resume === 'recovery') await run(recoverPayments)
    else await notify('payment_intent.succeeded', intent, { id })

    assert.equal((await read()).status, 'processing', resume)
  }
})

test('an open payment is read again each time its age has doubled', {
  skip: RUNS_TWICE && 'a job that runs twice reads twice',
}, async () => {
  const { order } = await scene()
  const seq = gateway.arrivals.list().at(-1)?.seq ?? 0
  for (let minute = 2; minute <= 120; minute += 2) {
    moveClock(minute * MINUTE_MS)
    await run(recoverPayments)
  }

  const reads = gateway.arrivals
    .list({ after: seq, phase: 'received' })
    .filter(({ method, path }) => method === 'GET' && path.endsWith(order.reference))
  assert.ok(reads.length >= 4 && reads.length <= 7, `${reads.length} reads in two hours`)
})

testBooks()
