import assert from 'node:assert/strict'
import { test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { bookGatewayRefund, type GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { type RefundOutcome, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { eventsOf, readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { gateway } from '#test/support/processes/gateway.ts'

const outcome = (status: RefundOutcome['status'], more: Partial<RefundOutcome> = {}): RefundOutcome => ({
  status,
  reference: 're_1',
  failureReason: null,
  ...more,
})

/** What the gateway says of a refund. */
const fact = (refundId: string | null, status: RefundOutcome['status']): GatewayRefund => ({
  provider: 'stripe',
  reference: 're_1',
  paymentReference: 'pi_elsewhere',
  status,
  amountMinor: 1_000n,
  currency: 'EUR',
  failureReason: null,
  refundId,
})

async function refundInProgress(request: RefundRequest = { amountMinor: 1_000n }) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway })
  const refund = await inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const settle = (outcome: RefundOutcome) => inStore(store.id, (tx) => settleRefund(tx, refund.id, outcome))
  const now = async () => ({
    order: await readOrder(store, order.id),
    refund: (await readRefunds(store, order.id)).find(({ id }) => id === refund.id),
    events: await eventsOf(store, order.id, 'order.refunded', 'order.refund_failed'),
  })
  return { store, order, refund, settle, now }
}

const availableOf = async (store: BuiltStore, variantId: string) => {
  const [row] = await inStore(store.id, (tx) =>
    tx
      .knex('product_variants')
      .where('id', variantId)
      .select('stock_on_hand', 'stock_allocated', 'stock_held'),
  )
  return row.stock_on_hand - row.stock_allocated - row.stock_held
}

test('a successful partial refund is recorded on the order and emits order.refunded', async () => {
  const { settle, now, refund } = await refundInProgress()

  await settle(outcome('succeeded'))

  const { order, events } = await now()
  assert.partialDeepStrictEqual(order, { amountRefundedMinor: 1_000n, status: 'processing' })
  assert.equal(events.length, 1)
  const [{ type, data } = { type: '', data: null }] = events
  assert.deepEqual(
    {
      type,
      amount_refunded: data.amount_refunded,
      payment_status: data.payment_status,
      id: data.refund.id,
      amount: data.refund.amount,
      status: data.refund.status,
    },
    {
      type: 'order.refunded',
      amount_refunded: 10,
      payment_status: 'partially_refunded',
      id: refund.id,
      amount: 10,
      status: 'succeeded',
    },
  )
})

test('five concurrent outcomes record and emit a refund once', async () => {
  const { settle, now } = await refundInProgress()

  await Promise.all(Array.from({ length: 5 }, () => settle(outcome('succeeded'))))

  const { order, events } = await now()
  assert.deepEqual(
    { amountRefundedMinor: order.amountRefundedMinor, eventsCount: events.length },
    { amountRefundedMinor: 1_000n, eventsCount: 1 },
  )
})

test('refunding the last of the money makes the order refunded', async () => {
  const { settle, now } = await refundInProgress({ amountMinor: 2_500n })

  await settle(outcome('succeeded'))

  const { order, events } = await now()
  assert.deepEqual(
    { orderStatus: order.status, paymentStatus: order.paymentStatus, status: events[0]?.data.status },
    { orderStatus: 'refunded', paymentStatus: 'refunded', status: 'refunded' },
  )
})

test('a failed refund changes only the refund, and another can follow', async () => {
  const { store, order, settle, now } = await refundInProgress()

  await settle(outcome('failed', { reference: null, failureReason: 'charge_disputed' }))

  const { order: after, refund, events } = await now()
  assert.partialDeepStrictEqual(after, { amountRefundedMinor: 0n, status: 'processing' })
  assert.partialDeepStrictEqual(refund, { status: 'failed', failureReason: 'charge_disputed' })
  assert.deepEqual(
    { eventsCount: events.length, type: events[0]?.type, amount_refunded: events[0]?.data.amount_refunded },
    { eventsCount: 1, type: 'order.refund_failed', amount_refunded: 0 },
  )
  await inStore(store.id, (tx) => requestRefund(tx, order.id, { amountMinor: 2_500n }, requester('staff:1')))
})

test('a pending refund is not recorded on the order until it succeeds', async () => {
  const { store, settle, now, refund } = await refundInProgress()

  await settle(outcome('pending'))
  await settle(outcome('requires_action'))
  const waiting = await now()
  await inStore(store.id, (tx) => bookGatewayRefund(tx, fact(refund.id, 'succeeded')))
  const settled = await now()

  assert.deepEqual(
    {
      status: waiting.refund?.status,
      gatewayReference: waiting.refund?.gatewayReference,
      amountRefundedMinor: waiting.order.amountRefundedMinor,
      events: waiting.events,
    },
    { status: 'requires_action', gatewayReference: 're_1', amountRefundedMinor: 0n, events: [] },
  )
  assert.deepEqual(
    { status: settled.refund?.status, amountRefundedMinor: settled.order.amountRefundedMinor },
    { status: 'succeeded', amountRefundedMinor: 1_000n },
  )
})

test('a refund that the bank returns is subtracted and emits order.refund_failed', async () => {
  const { settle, now } = await refundInProgress()
  await settle(outcome('succeeded'))

  await settle(outcome('failed', { failureReason: 'expired_or_canceled_card' }))

  const { order, events } = await now()
  assert.equal(order.amountRefundedMinor, 0n)
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, amount_refunded: data.amount_refunded })),
    [
      { type: 'order.refunded', amount_refunded: 10 },
      { type: 'order.refund_failed', amount_refunded: 0 },
    ],
  )
})

test('a late outcome does not change a failed refund', async () => {
  const { settle, now } = await refundInProgress()
  await settle(outcome('failed'))

  for (const status of ['pending', 'succeeded', 'canceled'] as const) await settle(outcome(status))

  const { refund, order } = await now()
  assert.deepEqual(
    { status: refund?.status, amountRefundedMinor: order.amountRefundedMinor },
    { status: 'failed', amountRefundedMinor: 0n },
  )
})

test('a notification of a refund of an unknown payment changes nothing', async () => {
  const { store, order } = await refundInProgress()
  const other = await refundInProgress()

  await inStore(store.id, (tx) => bookGatewayRefund(tx, fact(null, 'succeeded')))
  await inStore(store.id, (tx) => bookGatewayRefund(tx, fact(other.refund.id, 'succeeded')))

  assert.equal((await other.now()).refund?.status, 'pending')
  assert.equal((await readRefunds(store, order.id)).length, 1)
})

test('refunded units return to stock only with restock', async () => {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { lines: [{ priceMinor: 1_000n, quantity: 3 }] })
  const [item] = order.lines
  const items = [{ orderItemId: item?.id ?? '', quantity: 1 }]
  const available = () => availableOf(store, item?.variantId ?? '')
  const refund = (restock: boolean) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, { items, restock }, requester('staff:1')))

  const before = await available()
  await refund(false)
  const afterFirst = await available()
  await refund(true)
  const afterSecond = await available()

  assert.deepEqual({ afterFirst, afterSecond }, { afterFirst: before, afterSecond: before + 1 })
})

test('the last refund of an unshipped order releases each unit of stock once', async () => {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { lines: [{ priceMinor: 1_000n, quantity: 3 }] })
  const [item] = order.lines
  const before = await availableOf(store, item?.variantId ?? '')
  const items = (quantity: number) => [{ orderItemId: item?.id ?? '', quantity }]
  const ask = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))

  await ask({ items: items(1), restock: true })
  await ask({ items: items(2), shippingAmountMinor: 500n, restock: true })

  assert.equal((await readOrder(store, order.id)).status, 'refunded')
  assert.equal(await availableOf(store, item?.variantId ?? ''), before + 3)
})

test('a check constraint rejects refunds above the captured amount', async () => {
  const { store, order } = await refundInProgress()

  await assert.rejects(
    inStore(store.id, (tx) =>
      tx
        .knex('orders')
        .where('id', order.id)
        .update({ amount_refunded_minor: db().raw('amount_captured_minor + 1') }),
    ),
    { constraint: /check/ },
  )
})

testBooks()
