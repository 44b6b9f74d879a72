import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { buildReceivedReturn } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

beforeEach(() => gateway.faults.clear())

const AT_ONCE = { prefer: 'respond-async' }

async function paidOrder(given: GivenOrder = {}) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, ...given })
  const { token } = await buildStaff(store, { role: 'accounting' })
  const refund = (body: unknown, more: RequestOptions = {}) =>
    request(`POST /admin/orders/${order.id}/refunds`, { token, key: newId(), body, ...more })
  return { store, order, token, refund }
}

const gatewayRefunds = (reference: string | null) =>
  gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === reference)

test('a refund returns 201 when the gateway has settled it', async () => {
  const { order, refund, store } = await paidOrder()

  const { status, data } = await withWorker(
    refund({
      items: [{ order_item_id: order.lines[0]?.id, quantity: 1 }],
      shipping_amount: 2.5,
      reason: 'Broken',
    }),
  )

  const [made] = gatewayRefunds(order.reference)
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(data, {
    amount: 12.5,
    currency: 'EUR',
    status: 'succeeded',
    reason: 'Broken',
    gateway_reference: made?.id,
  })
  assert.deepEqual(
    { amount: made?.amount, refund_id: made?.metadata.refund_id },
    { amount: 1_250, refund_id: data.id },
  )
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 1_250n)
})

test('Prefer: respond-async returns 202; the list shows the settled refund', async () => {
  const { refund, order, token } = await paidOrder()
  const list = () => request(`GET /admin/orders/${order.id}/refunds`, { token })

  const { status, data } = await refund({ amount: 10 }, { headers: AT_ONCE })
  const [before] = (await list()).data
  await drainJobs()
  const {
    data: [after],
    meta,
  } = await list()

  assert.equal(status, 202)
  assert.equal(data.status, 'pending')
  assert.equal(before.status, 'pending')
  assert.equal(after.status, 'succeeded')
  assert.deepEqual({ total: meta.total, id: after.id }, { total: 1, id: data.id })
})

test('eight concurrent full refunds make one refund and seven errors', async () => {
  const { refund, order } = await paidOrder()

  const answers = await withWorker(
    Promise.all(Array.from({ length: 8 }, () => refund({ amount: 25 }, { headers: AT_ONCE }))),
  )

  const codes = answers.map(({ status, error_code }) => `${status} ${error_code}`).sort()
  assert.equal(codes.filter((code) => code === '202 null').length, 1)
  assert.ok(codes.every((code) => /^202 null$|^409 (refund.in_progress|order.nothing_to_refund)$/.test(code)))
  await drainJobs()
  assert.equal(gatewayRefunds(order.reference).length, 1)
})

test('a refund that the gateway refuses is failed and has the reason', async () => {
  const { refund } = await paidOrder()
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: 1 })

  const { status, data } = await withWorker(refund({ amount: 5 }))

  assert.deepEqual(
    { status, dataStatus: data.status, failure_reason: data.failure_reason },
    { status: 201, dataStatus: 'failed', failure_reason: 'charge_disputed' },
  )
})

test('a refund that the bank returns is owed until staff record that they paid the buyer', async () => {
  const { store, order, token, refund } = await paidOrder()
  const { data: made } = await withWorker(refund({ amount: 25 }))
  const bounced = { status: 'failed', reference: null, failureReason: 'expired_or_canceled_card' } as const
  await inStore(store.id, (tx) => settleRefund(tx, made.id, bounced))
  const read = async () => (await request(`GET /admin/orders/${order.id}`, { token })).data
  const owed = async () => (await request('GET /admin/orders?refund_owed=true', { token })).meta.total

  const before = { ...(await read()), total: await owed() }
  const answer = await refund({ amount: 25, outside_gateway: true, reason: 'Transfer of 11 October' })
  const after = { ...(await read()), total: await owed() }

  const ended = { status: 'refunded', refund_owed: true, payment_status: 'paid', total: 1 }
  assert.partialDeepStrictEqual(before, ended)
  assert.partialDeepStrictEqual(answer, {
    status: 201,
    data: { status: 'succeeded', amount: 25, gateway_reference: '', reason: 'Transfer of 11 October' },
  })
  assert.partialDeepStrictEqual(after, { refund_owed: false, payment_status: 'refunded', total: 0 })
  assert.equal(gatewayRefunds(order.reference).length, 1)
})

testBooks()

test('staff see why a refund is repeated and when, and nothing more when it is done', async () => {
  const { order, token, refund } = await paidOrder()
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'error_before', times: 1 })
  const started = await refund({ amount: 5, reason: 'Late' }, { headers: AT_ONCE })
  const retries = async () => (await request(`GET /admin/orders/${order.id}`, { token })).data.retries
  assert.deepEqual(await retries(), [])

  await drainJobs()

  const [retry, ...more] = await retries()
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(retry, { subject: 'refund', id: started.data.id, attempts: 1 })
  assert.match(retry.error, /^The payment gateway gave no result \(Stripe\w+, status 500\)$/)
  assert.ok(Date.parse(retry.next_attempt_at) > Date.now())
  moveClock(MINUTE_MS)
  await drainJobs()
  assert.deepEqual(await retries(), [])
})

test('the 501st refund of an order returns 409, also of a return; the rest can be refunded as a whole', async () => {
  const { store, order, token, refund } = await paidOrder()
  await request(`PATCH /admin/orders/${order.id}`, { token, body: { status: 'shipped' } })
  const { id: returnId } = await buildReceivedReturn(store, order)
  const inCash = { amount: 1, outside_gateway: true, reason: 'In cash' }
  const { data: first } = await refund(inCash)
  await inStore(store.id, ({ knex }) =>
    knex.raw(
      `insert into refunds select copy.* from refunds one, generate_series(1, 499) n,
         jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'status', 'failed', 'reason', n::text)) copy
       where one.id = ? and one.order_id = ?`,
      [first.id, order.id],
    ),
  )

  const part = await refund(inCash)
  const returned = await request(`POST /admin/returns/${returnId}/refund`, { token, key: newId(), body: {} })
  const rest = await request(`PATCH /admin/orders/${order.id}`, {
    token,
    body: { status: 'refunded' },
    headers: AT_ONCE,
  })

  for (const refused of [part, returned])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'refund.limit_reached' })
  assert.equal(rest.status, 202)
})
