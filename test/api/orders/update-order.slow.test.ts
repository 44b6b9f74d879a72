import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { eventsOf, readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

beforeEach(() => gateway.faults.clear())

const REFUNDED = { status: 'refunded' }
const AT_ONCE = { prefer: 'respond-async' }

async function paidOrder(given: GivenOrder = {}, role = 'accounting') {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, ...given })
  const { token } = await buildStaff(store, { role })
  const change = (body: unknown, more: RequestOptions = {}) =>
    request(`PATCH /admin/orders/${order.id}`, { token, body, ...more })
  const read = () => request(`GET /admin/orders/${order.id}`, { token })
  const atGateway = () =>
    gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  return { store, order, token, change, read, atGateway }
}

test('PATCH status=refunded refunds the remaining amount, and responds after the refund succeeded', async () => {
  const { store, order, change, atGateway } = await paidOrder()

  const { status, data } = await withWorker(change(REFUNDED))

  assert.deepEqual(
    {
      status,
      order: data.status,
      amount_refunded: data.amount_refunded,
      payment_status: data.payment_status,
    },
    { status: 200, order: 'refunded', amount_refunded: 25, payment_status: 'refunded' },
  )
  assert.deepEqual(
    atGateway().map(({ amount }) => amount),
    [2_500],
  )
  assert.equal((await eventsOf(store, order.id, 'order.refunded')).length, 1)
})

test('status refunded of a refunded order returns 200 and moves no money', async () => {
  const { change, atGateway } = await paidOrder()
  await withWorker(change(REFUNDED))

  const { status, data } = await change(REFUNDED)

  assert.deepEqual(
    { status, order: data.status, refundsAtGateway: atGateway().length },
    { status: 200, order: 'refunded', refundsAtGateway: 1 },
  )
})

test('status refunded after a partial refund refunds the rest', async () => {
  const { order, token, change, atGateway } = await paidOrder()
  await withWorker(
    request(`POST /admin/orders/${order.id}/refunds`, { token, key: newId(), body: { amount: 10 } }),
  )

  await withWorker(change(REFUNDED))

  assert.deepEqual(
    atGateway().map(({ amount }) => amount),
    [1_000, 1_500],
  )
})

test('while the gateway does not respond, requests return 202 for the same refund, then 200', async () => {
  const { change, atGateway, store, order } = await paidOrder()

  const first = await change(REFUNDED, { headers: AT_ONCE })
  const again = await change(REFUNDED, { headers: AT_ONCE })
  await drainJobs()
  const done = await change(REFUNDED)

  assert.partialDeepStrictEqual(first, { status: 202, data: { status: 'processing' } })
  assert.deepEqual({ again: again.status, done: done.status }, { again: 202, done: 200 })
  assert.deepEqual(
    { refunds: (await readRefunds(store, order.id)).length, atGateway: atGateway().length },
    { refunds: 1, atGateway: 1 },
  )
})

test('status refunded during a partial refund returns 409 refund.in_progress', async () => {
  const { order, token, change } = await paidOrder()
  await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: newId(),
    headers: AT_ONCE,
    body: { amount: 1 },
  })

  const { status, error_code } = await change(REFUNDED)

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'refund.in_progress' })
  await drainJobs()
})

test('an order that is being refunded in full cannot ship', async () => {
  const { order, token, change, read } = await paidOrder()
  await change(REFUNDED, { headers: AT_ONCE })

  const whole = await change({ status: 'shipped' })
  const parcel = await request(`POST /admin/orders/${order.id}/shipments`, { token, body: {} })

  for (const refused of [whole, parcel])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'refund.in_progress' })
  assert.partialDeepStrictEqual((await read()).data, { status: 'processing', shipments: [] })
  await drainJobs()
  assert.equal((await read()).data.status, 'refunded')
})

test('an order whose units a refund puts back in stock ships after the refund', async () => {
  const { order, token, change } = await paidOrder()
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1 }]
  const body = { items, restock: true }
  await request(`POST /admin/orders/${order.id}/refunds`, { token, key: newId(), headers: AT_ONCE, body })

  const during = await change({ status: 'shipped' })
  await drainJobs()
  const after = await change({ status: 'shipped' })

  assert.partialDeepStrictEqual(during, { status: 409, error_code: 'refund.in_progress' })
  assert.equal(after.status, 200)
})

test('a refusal by the gateway returns 502, and the order keeps its status', async () => {
  const { change, read } = await paidOrder()
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: 1 })

  const { status, error_code, error } = await withWorker(change(REFUNDED))

  assert.deepEqual({ status, error_code }, { status: 502, error_code: 'payment.gateway_error' })
  assert.match(error ?? '', /charge_disputed/)
  assert.equal((await read()).data.status, 'processing')
})

test('status refunded of an unpaid order returns 409 order.nothing_to_refund', async () => {
  const { store, token } = await paidOrder()
  const unpaid = await buildOrder(store)

  const { status, error_code } = await request(`PATCH /admin/orders/${unpaid.id}`, { token, body: REFUNDED })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.nothing_to_refund' })
})

test('staff without the right refund can ship but not refund', async () => {
  const { change, atGateway } = await paidOrder({}, 'sales')

  const refused = await change(REFUNDED)
  const shipped = await change({ status: 'shipped', note: 'By parcel' })

  assert.partialDeepStrictEqual(refused, { status: 403, error_code: 'order.refund_forbidden' })
  assert.equal(atGateway().length, 0)
  assert.partialDeepStrictEqual(shipped, { status: 200, data: { status: 'shipped' } })
})

test('canceling a paid order returns 409 order.refund_required; an invalid transition returns 409', async () => {
  const { change } = await paidOrder()
  const canceled = await change({ status: 'canceled' })
  await change({ status: 'complete' })
  const back = await change({ status: 'shipped' })

  assert.partialDeepStrictEqual(canceled, { status: 409, error_code: 'order.refund_required' })
  assert.partialDeepStrictEqual(back, { status: 409, error_code: 'order.invalid_transition' })
})

test('a note is added to the history, with a status or without', async () => {
  const { change, read } = await paidOrder()

  await change({ note: 'Called the buyer' })
  await change({ status: 'shipped', note: 'By parcel' })

  const { history } = (await read()).data
  assert.deepEqual(
    history
      .slice(-2)
      .map(({ from_status, to_status, note }: Record<string, string>) => ({ from_status, to_status, note })),
    [
      { from_status: 'processing', to_status: 'processing', note: 'Called the buyer' },
      { from_status: 'processing', to_status: 'shipped', note: 'By parcel' },
    ],
  )
})

test('an If-Match of an earlier version returns 412', async () => {
  const { change, read } = await paidOrder()
  const stale = (await read()).headers.get('etag') ?? ''

  const first = await change({ status: 'shipped' }, { headers: { 'if-match': stale } })
  const second = await change({ status: 'complete' }, { headers: { 'if-match': stale } })
  const third = await change(
    { status: 'complete' },
    { headers: { 'if-match': first.headers.get('etag') ?? '' } },
  )

  assert.deepEqual(
    {
      firstStatus: first.status,
      secondStatus: second.status,
      error_code: second.error_code,
      thirdStatus: third.status,
    },
    { firstStatus: 200, secondStatus: 412, error_code: 'resource.changed', thirdStatus: 200 },
  )
})

test('another status, an empty body and an unknown field return 422', async () => {
  const { change } = await paidOrder()

  for (const body of [{ status: 'processing' }, {}, { total: 1 }, { note: ' ' }])
    assert.equal((await change(body)).error_code, 'validation.failed', JSON.stringify(body))
})

test("updating another store's order returns 404", async () => {
  const { order } = await paidOrder()
  const { token } = await paidOrder()

  const { status } = await request(`PATCH /admin/orders/${order.id}`, { token, body: REFUNDED })

  assert.equal(status, 404)
})

testBooks()
