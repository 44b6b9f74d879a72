import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { recoverRefunds, sendRefund } from '#shared/refunds/jobs.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import type { FaultMode } from '#test/sandbox/gateway/faults.ts'
import { createRefund as refundAtBank, settleRefund as settleAtBank } from '#test/sandbox/gateway/refunds.ts'
import { eventsOf, readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { RUNS_TWICE } from '#test/support/runner/jobs-twice.ts'

const REFUNDS = 'POST /v1/refunds'
// The queue pauses 2 s after the first failure, and somewhat more at most.
const AFTER_PAUSE_MS = MINUTE_MS

beforeEach(() => gateway.faults.clear())

async function refundToSend({ card = 'pm_card_visa', amountMinor = 1_000n } = {}) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, card })
  const refund = await inStore(store.id, (tx) =>
    requestRefund(tx, order.id, { amountMinor }, requester('staff:1')),
  )
  const seq = gateway.arrivals.list().at(-1)?.seq ?? 0
  return {
    store,
    order,
    refund,
    read: async () => (await readRefunds(store, order.id)).find(({ id }) => id === refund.id),
    refunded: async () => (await readOrder(store, order.id)).amountRefundedMinor,
    atGateway: () =>
      gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference),
    calls: () => gateway.arrivals.list({ after: seq, phase: 'received' }),
  }
}

/** The jobs that are due `ms` from now are done then. */
async function drainLater(ms: number) {
  moveClock(ms)
  return drainJobs()
}

const recover = async () => (await queues()).send(recoverRefunds.queue, {})

const UNANSWERED: [mode: FaultMode, applied: number][] = [
  ['error_before', 0],
  ['error_after', 1],
  ['refuse', 0],
]

for (const [mode, applied] of UNANSWERED)
  test(`${mode}: the refund stays pending and is retried with the same key`, async () => {
    const { read, refunded, atGateway, calls, refund } = await refundToSend()
    // Twice: the library repeats a closed connection once by itself.
    gateway.faults.set({ on: REFUNDS, mode, times: mode === 'refuse' ? 2 : 1 })

    await drainJobs()
    const open = await read()
    const made = atGateway().length
    await drainLater(AFTER_PAUSE_MS)

    assert.deepEqual({ status: open?.status, made }, { status: 'pending', made: applied })
    assert.equal((await read())?.status, 'succeeded')
    assert.equal(await refunded(), 1_000n)
    assert.equal(atGateway().length, 1)
    assert.ok(calls().every(({ idempotency_key }) => idempotency_key === refund.id))
  })

test('a definite refusal fails the refund, emits the event, and is never retried', async () => {
  const { store, order, read, refunded, calls } = await refundToSend()
  gateway.faults.set({ on: REFUNDS, mode: 'decline', times: 1 })

  await drainJobs()
  await drainLater(DAY_MS)

  const refund = await read()
  assert.partialDeepStrictEqual(refund, { status: 'failed', failureReason: 'charge_disputed' })
  assert.equal(await refunded(), 0n)
  assert.equal((await eventsOf(store, order.id, 'order.refund_failed')).length, 1)
  assert.equal(calls().filter(({ method }) => method === 'POST').length, 1)
})

test('after the key expired, the refund of the first call is found at the gateway', async () => {
  const { read, refunded, atGateway, calls } = await refundToSend()
  gateway.faults.set({ on: REFUNDS, mode: 'error_after', times: 1 })
  await drainJobs()

  await drainLater(23 * HOUR_MS + MINUTE_MS)

  assert.equal((await read())?.status, 'succeeded')
  assert.equal(await refunded(), 1_000n)
  assert.equal(atGateway().length, 1)
  assert.deepEqual(
    calls().map(({ method }) => method),
    ['POST', 'GET'],
  )
})

test('"already refunded" after an earlier attempt counts as success', async () => {
  const { order, read, refunded, refund, atGateway } = await refundToSend({ amountMinor: 2_500n })
  // What an earlier try made, under a key that the gateway has forgotten before its time.
  const earlier = { payment_intent: order.reference ?? '', metadata: { refund_id: refund.id } }
  gateway.change((desk) => refundAtBank(desk, earlier))

  await drainJobs()

  assert.equal((await read())?.status, 'succeeded')
  assert.equal(await refunded(), 2_500n)
  assert.equal(atGateway().length, 1)
})

test('a pending refund is polled later by its reference', {
  skip: RUNS_TWICE && 'a job that runs twice polls twice',
}, async () => {
  const { read, refunded, atGateway, calls } = await refundToSend({ card: 'pm_card_pendingRefund' })
  await drainJobs()
  const waiting = await read()
  const [made] = atGateway()

  gateway.change((desk) => settleAtBank(desk, made?.id ?? '', 'succeeded'))
  await drainLater(7 * HOUR_MS)

  assert.partialDeepStrictEqual(waiting, { status: 'pending', gatewayReference: made?.id })
  assert.equal((await read())?.status, 'succeeded')
  assert.equal(await refunded(), 1_000n)
  assert.deepEqual(
    calls().map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/refunds', `GET /v1/refunds/${made?.id}`],
  )
})

test('a repeated job moves money once', async () => {
  const { store, refund, refunded, atGateway } = await refundToSend()
  await inStore(store.id, (tx) => enqueue(tx, sendRefund, { refundId: refund.id }))

  await drainJobs()

  assert.equal(await refunded(), 1_000n)
  assert.equal(atGateway().length, 1)
})

test('a refund without a job gets one; a refund with a job or a young one does not', async () => {
  const lost = await refundToSend()
  const kept = await refundToSend()
  await db().raw(`delete from pgboss.job where name = ? and data ->> 'refundId' = ?`, [
    sendRefund.queue,
    lost.refund.id,
  ])
  await db().raw(`update pgboss.job set start_after = ? where data ->> 'refundId' = ?`, [
    new Date(now().getTime() + DAY_MS),
    kept.refund.id,
  ])

  await recover()
  await drainJobs()
  const young = await lost.read()
  moveClock(5 * MINUTE_MS)
  await recover()
  await drainJobs()

  assert.equal(young?.status, 'pending')
  assert.equal((await lost.read())?.status, 'succeeded')
  const { rows } = await db().raw(`select id from pgboss.job where data ->> 'refundId' = ?`, [kept.refund.id])
  assert.equal(rows.length, 1)
})

testBooks()
