import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

// An order has at most 500 refunds by staff and 100 lines.
const REFUNDS = 499
const LINES = 100
test('checking an order with 499 refunds of 100 lines each does not block other requests', async (t) => {
  const store = await buildStore()
  const lines = Array.from({ length: LINES }, () => ({ priceMinor: 10n, quantity: 5 }))
  const order = await buildCapturedOrder(store, { lines })
  const items = order.lines.map(({ id }) => ({ orderItemId: id, quantity: 1 }))
  const refund = { items }
  const { id: refundId } = await inStore(store.id, (tx) =>
    requestRefund(tx, order.id, refund, requester('staff:1')),
  )
  await inStore(store.id, async ({ knex }) => {
    const from = `generate_series(1, ${REFUNDS - 1})`
    const copies = await copyRows(knex, {
      table: 'refunds',
      of: { id: refundId },
      from,
      changes: `'reason', ''`,
    })
    await copyRows(knex, {
      table: 'refund_items',
      of: { refund_id: refundId },
      from: 'unnest(?::uuid[]) r',
      changes: `'refund_id', r`,
      values: [copies],
    })
  })
  const read = () => inStore(store.id, async (tx) => loadRefundableOrder(tx, await lockOrder(tx, order.id)))

  const ms = await longestTurn(read)

  t.diagnostic(`${ms} ms`)
  assert.deepEqual(new Set((await read()).refundedPrices.values()), new Set([10n * BigInt(REFUNDS)]))
  assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
})
