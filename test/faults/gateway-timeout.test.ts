import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { eventsOf, readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

// The first call waits this long for its response. A retry on a busy machine may need several.
process.env.STRIPE_TIMEOUT_MS = '500'
resetConfig()

const MAX_RETRIES = 5

test('a refund whose response never arrives is settled once, by a retry with the same key', async () => {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway })
  const refund = await inStore(store.id, (tx) =>
    requestRefund(tx, order.id, { amountMinor: 1_000n }, requester('system')),
  )
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'timeout_after_success', times: 1 })

  await drainJobs()
  const [open] = await readRefunds(store, order.id)
  const before = await readOrder(store, order.id)
  let [settled] = await readRefunds(store, order.id)
  for (let retry = 1; settled?.status === 'pending' && retry <= MAX_RETRIES; retry++) {
    moveClock(retry * HOUR_MS)
    await drainJobs()
    ;[settled] = await readRefunds(store, order.id)
  }

  assert.deepEqual(
    { status: open?.status, amountRefundedMinor: before.amountRefundedMinor },
    { status: 'pending', amountRefundedMinor: 0n },
  )
  assert.deepEqual(
    { status: settled?.status, amountRefundedMinor: (await readOrder(store, order.id)).amountRefundedMinor },
    { status: 'succeeded', amountRefundedMinor: 1_000n },
  )
  assert.equal(gateway.ledger().refunds.length, 1)
  assert.equal((await eventsOf(store, order.id, 'order.refunded')).length, 1)
  const calls = gateway.arrivals.list({ phase: 'received', path: '/v1/refunds' })
  assert.ok(calls.length >= 2)
  assert.ok(calls.every(({ idempotency_key }) => idempotency_key === refund.id))
})
